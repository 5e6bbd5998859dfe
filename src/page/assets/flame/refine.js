/* Refining: only stacks in which a frame matches (focus), none in which one does (ignore), and
 * stacks without some of their frames (hide).  Focus and ignore look at whole stacks. */

const REFINEMENTS = ['focus', 'ignore', 'hide'];

const refinementText = state =>
  REFINEMENTS.filter(key => state[key]).map(key => `${key} ${visible(state[key])}`).join(', ');

/* Which frames EXPRESSION matches: by name or file or, with a prefix, by one of them. */
function matchFrames({names, files, frameName, frameFile}, expression) {
  const [, only, text] = /^(name|file):(?!:)(.*)$/s.exec(expression) ?? [0, '', expression], pattern = makeExpression(text);
  const test = (texts, isWanted) => texts.map(text => isWanted && pattern.test(text));
  const byName = test(names, only !== 'file'), byFile = [false, ...test(files, only !== 'name')];
  return Uint8Array.from(frameName, (name, frame) => byName[name] || byFile[frameFile[frame]]);
}

/* PROFILE without the frames in ISHIDDEN.  Stacks keep their numbers, so neighbours may share more
 * frames than they say. */
function withoutFrames(profile, isHidden) {
  const {shared, offset, frames} = profile, n = shared.length, kept = [0]; /* of so many outermost frames */
  const out = {depth: new Uint32Array(n), offset: new Uint32Array(n + 1), frames: frames.slice()};
  let at = 0;
  out.shared = out.depth.slice();
  for (let i = 0; i < n; i++) {
    let count = out.shared[i] = kept[shared[i]];
    for (let k = offset[i], place = shared[i]; k < offset[i + 1]; k++) {
      if (!isHidden[frames[k]]) {
        out.frames[at++] = frames[k];
        count++;
      }
      kept[++place] = count;
    }
    out.depth[i] = count;
    out.offset[i + 1] = at;
  }
  return {...profile, ...out, ...links(out.shared), isRefined: true};
}

/* PROFILE as STATE refines it, flags for the stacks that are kept (null: all), and what is wrong
 * with its expressions. */
function refined(profile, state) {
  const faults = [], [focus, ignore, hide] = REFINEMENTS.map(name => {
    try {
      return state[name] && matchFrames(profile, state[name]);
    } catch (error) {
      faults.push(`${name}: ${error.message}`);
      return '';
    }
  });
  if (!focus && !ignore && !hide)
    return {profile, keeps: null, faults};
  const less = hide ? withoutFrames(profile, hide) : profile;
  const has = focus && firstPlaces(profile, focus), hasNot = ignore && firstPlaces(profile, ignore);
  const keeps = Uint8Array.from(less.depth, (depth, stack) => (!focus || has[stack] >= 0) &&
    (!ignore || hasNot[stack] < 0) && (depth > 0 || profile.depth[stack] === 0));
  return {profile: less, keeps, faults};
}

/* Adds the function NAME to the refinement KEY. */
function refine(key, name) {
  const text = `^${escapeExpression(name)}$`, before = key === 'focus' ? '' : view.state[key];
  change({[key]: before ? `${before}|${text}` : text, ...UNZOOMED}, true);
}

function refineMenu() {
  const hints = {focus: 'only stacks with a match', ignore: 'no stacks with a match', hide: 'without frames that match'};
  ui.refine = REFINEMENTS.map(name => make('input', {type: 'text', spellcheck: false, placeholder: hints[name], name,
    onchange: ({target}) => change({[name]: target.value, ...UNZOOMED}, true)}));
  const fields = ui.refine.map(input => field(input.name[0].toUpperCase() + input.name.slice(1), input));
  const reset = button('Reset', () => change({focus: '', ignore: '', hide: '', ...UNZOOMED}, true));
  ui.refineMenu = menu('Refine', ...fields, reset);
  return ui.refineMenu;
}

function showRefinements() {
  for (const input of ui.refine) {
    if (input !== document.activeElement || input.value !== view.state[input.name])
      input.value = view.state[input.name];
    input.setAttribute('aria-invalid', view.refineFaults.some(fault => fault.startsWith(input.name + ':')));
  }
  ui.refineMenu.classList.toggle('on', REFINEMENTS.some(key => view.state[key]));
}
