/** Text as JSON; undefined if it is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Deeper than any sensible document, and shallow enough for everything that walks it. */
export const MAX_JSON_DEPTH = 32;

/** True if lists and objects of a JSON text are nested deeper than `MAX_JSON_DEPTH`, counted without following them. */
export function isTooDeep(text: string): boolean {
  let [depth, quoted] = [0, false];
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (quoted) {
      if (character === '\\') i += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '[' || character === '{') {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) return true;
    } else if (character === ']' || character === '}') depth -= 1;
  }
  return false;
}
