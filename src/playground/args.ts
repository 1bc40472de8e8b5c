import type { Json } from './json.ts';
import { isJson, parseJson } from './json.ts';
import { refuseArguments } from './refusal.ts';

/** The arguments of one Web API call, whichever way they came. */
export type Args = ReturnType<typeof readArgs>;

/** Reads arguments that are JSON values, or a form's strings of which some hold JSON. */
export function readArgs(given: Json) {
  const value = (name: string): unknown =>
    given[name] === null || given[name] === '' ? undefined : given[name];

  function text(name: string): string | undefined {
    const found = value(name);
    return found === undefined
      ? undefined
      : typeof found === 'object'
        ? JSON.stringify(found)
        : String(found);
  }

  return {
    given,
    text,

    required(name: string): string {
      const found = text(name);
      if (found === undefined) throw refuseArguments(`missing required field: ${name}`);
      return found;
    },

    flag: (name: string): boolean => ['true', '1'].includes(text(name) ?? ''),

    count(name: string): number | undefined {
      const found = text(name);
      if (found === undefined) return undefined;
      const number = Number(found);
      if (!Number.isInteger(number)) throw refuseArguments(`must be an integer: ${name}`);
      return number;
    },

    /** A structured argument: itself, or the JSON text of it. */
    json(name: string): unknown {
      const found = value(name);
      if (typeof found !== 'string') return found;
      const parsed = parseJson(found);
      if (!isJson(parsed) && !Array.isArray(parsed)) throw refuseArguments(`invalid JSON: ${name}`);
      return parsed;
    },
  };
}
