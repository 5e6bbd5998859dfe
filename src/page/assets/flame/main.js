/* The entry point. */

/* What tests, and users of the console, may read. */
function report() {
  const box = b => b && {title: titleOf(b), depth: b.depth, sum: sumOf(b), isThin: b.isThin};
  return {
    state: view.state, mode: view.mode, all: view.all, ranges: view.panes.map(pane => pane.range),
    drawn: view.drawn, lit: view.litBoxes, hovered: box(view.hovered), selected: box(view.selected),
    matched: view.found && view.matched, fault: view.fault,
    painted: view.painted, lastUpdate: view.lastUpdate, lastLayout: view.lastLayout, lastRedraw: view.lastRedraw,
  };
}

/* The visible boxes, with their coordinates on the page. */
function reportBoxes() {
  const boxes = [], {left, top} = ui.graph.getBoundingClientRect();
  eachInSight((pane, k, depth, x, y, width) => {
    const box = pane.box(k, depth);
    boxes.push({name: box.isThin ? null : frameName(frameOfBox(box)), depth, x: x + left, y: y + top - view.top, width,
      sum: sumOf(box)});
  });
  return boxes;
}

async function begin() {
  const still = document.getElementById('still'), note = make('p', {role: 'status'}, 'Reading the profile …');
  still.prepend(note);
  try {
    const profile = decode(await inflate(document.querySelectorAll('script.data')));
    Object.assign(profile, links(profile.shared));
    view.source = view.profile = profile;
    view.first = firstState(profile.header.view);
    still.hidden = true; // until all of the page has been seen to work
    makePage();
    makeControls();
    show(parseFragment(location.hash, view.first));
  } catch (error) {
    for (const part of [...still.parentElement.children].filter(part => part !== still))
      part.remove();
    still.hidden = false;
    const {message} = error instanceof Unreadable ? error : damaged();
    note.textContent = `There is only the still picture below. ${message}`;
    return;
  }
  still.remove();
  listen();
  requestAnimationFrame(() => setTimeout(() => {
    view.painted = performance.now();
  }));
}

window.profflame = Object.freeze({get view() { return report(); }, get boxes() { return reportBoxes(); }});
begin();
