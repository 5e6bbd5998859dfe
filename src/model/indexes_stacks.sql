-- Made when all rows are there. From a function to the nodes it is in, from a node to those inside of it,
-- and to the samples whose stacks end there; from a label to its sets, and to their samples.
CREATE INDEX nodes_name ON nodes (name_id);
CREATE INDEX nodes_parent ON nodes (parent_id);
CREATE INDEX samples_node ON samples (node_id);
CREATE INDEX samples_labels ON samples (labels_id) WHERE labels_id IS NOT NULL;
CREATE INDEX stored_labels_str ON stored_labels ("key", str);
CREATE INDEX stored_labels_num ON stored_labels ("key", num) WHERE num IS NOT NULL;
