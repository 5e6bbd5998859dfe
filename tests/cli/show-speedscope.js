// What speedscope's own importer makes of a file:
//
//   node show-speedscope.js IMPORTER FILE
//
// IMPORTER is src/import/index of speedscope as one file of CommonJS. Prints a line for each profile, with
// its unit, total and name, behind "shown" for the one that is shown first, and then a line for
// each of its frames: weight of its own, weight with what it calls, name.
const fs = require('fs')
const path = require('path')
console.log = () => {}
const importer = require(path.resolve(process.argv[2]))
const file = process.argv[3]
importer.importProfileGroupFromText(path.basename(file), fs.readFileSync(file, 'utf8')).then(group => {
  const lines = []
  group.profiles.forEach((profile, i) => {
    const shown = i === group.indexToView ? 'shown' : 'profile'
    lines.push([shown, profile.getWeightUnit(), profile.getTotalWeight(), profile.getName()].join(' '))
    profile.forEachFrame(frame =>
      lines.push([frame.getSelfWeight(), frame.getTotalWeight(), frame.name, frame.file].join(' ')))
  })
  fs.writeSync(1, lines.join('\n') + '\n')
}).catch(error => {
  fs.writeSync(2, error.message + '\n')
  process.exit(1)
})
