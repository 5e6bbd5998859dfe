/* The beginning. */

/* What tests, and the curious, may read of the page. */
function report() {
  const box = b => b && {title: titleOf(b), depth: b.depth, sum: sumOf(b), isThin: b.isThin};
  return {
    state: view.state, mode: modeDrawn(), type: typeNumber(), all: view.all, ranges: view.panes.map(pane => pane.range),
    widths: view.panes.map(pane => pane.chart.width), drawn: view.drawn, redraws: view.redraws, lastRedraw: view.lastRedraw,
    lastLayout: view.lastLayout, lastUpdate: view.lastUpdate, painted: view.painted, hovered: box(view.hovered), selected: box(view.selected), lit: view.litBoxes,
    matched: view.found && view.matched, fault: view.fault, rowHeight: view.rowHeight, top: view.top,
  };
}

/* The boxes in sight, with their places on the page. */
function reportBoxes() {
  const boxes = [], {left, top} = ui.graph.getBoundingClientRect();
  eachInSight((pane, k, depth, x, y, width) => {
    const box = pane.box(k, depth);
    boxes.push({pane: view.panes.indexOf(pane), depth, x: x + left, y: y + top - view.top, width, sum: sumOf(box), isThin: box.isThin,
      name: box.isThin ? null : frameName(frameOfBox(box))});
  });
  return boxes;
}

async function begin() {
  const still = document.getElementById('still'), note = make('p', {role: 'status'}, 'Reading the profile …');
  still.prepend(note);
  try {
    const profile = decode(await inflate(document.querySelectorAll('script.data')));
    Object.assign(profile, links(profile.shared));
    view.profile = profile;
  } catch (error) {
    note.textContent = `There is only the still picture below. ${error instanceof Unreadable ? error.message : damaged().message}`;
    return;
  }
  still.remove();
  view.first = firstState(view.profile.header.view);
  makePage();
  makeControls();
  listen();
  show(parseFragment(location.hash, view.first));
  requestAnimationFrame(() => setTimeout(() => {
    view.painted = performance.now();
  }));
}

window.profflame = Object.freeze({get view() { return report(); }, get boxes() { return reportBoxes(); }});
begin();
