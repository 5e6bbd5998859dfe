# Counts words while stackprof samples it: with all stacks by time and by objects, and added up.
require 'json'
require 'stackprof'

def word(n)
  "w#{(n * 7919) % 97}"
end

def count(times)
  words = Hash.new(0)
  times.times { |n| words[word(n)] += 1 }
  words.sort_by { |name, n| [-n, name] }.first
end

def write(name, profile)
  File.write("#{name}.json", JSON.generate(profile))
end

write('wall', StackProf.run(mode: :wall, interval: 1000, raw: true) { count(60_000) })
write('object', StackProf.run(mode: :object, interval: 50, raw: true) { count(300) })
write('sums', StackProf.run(mode: :cpu, interval: 1000) { count(60_000) })
