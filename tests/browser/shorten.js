// Checks that the script of pages, FILE, shortens the names of EXAMPLES as the tools do:
//   shorten.js FILE EXAMPLES
const fs = require('fs');
const [script, examples] = process.argv.slice(2).map(path => fs.readFileSync(path, 'utf8'));
const shortenName = new Function(script + '; return shortenName;')();
const lines = examples.split('\n').filter(line => line.startsWith('{'));
const wrong = lines.filter(line => {
  const [columns, name, expected] = JSON.parse(`[${line.slice(1, line.lastIndexOf('}'))}]`);
  const found = shortenName(name, columns);
  if (found !== expected)
    console.error(`${name} in ${columns}: expected "${expected}", found "${found}"`);
  return found !== expected;
});
if (lines.length < 100 || wrong.length > 0)
  process.exit(1);
