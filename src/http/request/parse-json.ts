import { badBody } from '../refusal.ts';

/** Deeper than any sensible document, and shallow enough for everything that walks it. */
const DEEPEST = 32;

/** A JSON body; what is none, or is nested too deep, is refused. */
export function parseJson(text: string): unknown {
  if (depthOf(text) > DEEPEST) {
    throw badBody(`The body is nested too deep. Try: ${DEEPEST} levels.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw badBody('The body is not JSON.');
  }
}

/** How deep lists and objects are nested, counted without following them. */
function depthOf(text: string): number {
  let [depth, deepest, quoted] = [0, 0, false];
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (quoted) {
      if (character === '\\') i += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth -= 1;
  }
  return deepest;
}
