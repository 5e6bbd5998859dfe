SELECT count(*) AS samples, sum(value) AS total FROM sample_values;
