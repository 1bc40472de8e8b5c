import { argumentsRefusal, isJson, type Json, parseJson, Refusal } from './slack-json.ts';
import type { Stage } from './stage.ts';

/** One method of Slack's Web API: its name, and what it answers beside `ok: true`. */
export interface Method {
  readonly name: string;
  readonly run: (args: Args, stage: Stage, caller: Caller) => Json;
}

/** Whose token the call carries. */
export type Caller = 'bot' | 'app' | 'nobody';

/** The arguments of one Web API call, whichever way they came. */
type Args = ReturnType<typeof readArgs>;

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
      if (found === undefined) throw argumentsRefusal(`missing required field: ${name}`);
      return found;
    },

    flag: (name: string): boolean => ['true', '1'].includes(text(name) ?? ''),

    count(name: string): number | undefined {
      const found = text(name);
      if (found === undefined) return undefined;
      const number = Number(found);
      if (!Number.isInteger(number)) throw argumentsRefusal(`must be an integer: ${name}`);
      return number;
    },

    /** A structured argument: itself, or the JSON text of it. */
    json(name: string): unknown {
      const found = value(name);
      if (typeof found !== 'string') return found;
      const parsed = parseJson(found);
      if (!isJson(parsed) && !Array.isArray(parsed)) throw argumentsRefusal(`invalid JSON: ${name}`);
      return parsed;
    },
  };
}

/** A slice of a list and where the next one begins, as Slack's cursors work. */
export function pageOf<T>(
  items: readonly T[],
  args: Args,
  usual: number,
): { page: readonly T[]; nextCursor: string } {
  const limit = Math.min(Math.max(args.count('limit') ?? usual, 1), 1_000);
  const cursor = args.text('cursor');
  const start =
    cursor === undefined ? 0 : Number(Buffer.from(cursor, 'base64').toString().replace('next:', ''));
  if (!Number.isInteger(start) || start < 0) throw new Refusal('invalid_cursor');
  const end = start + limit;
  const nextCursor = end < items.length ? Buffer.from(`next:${end}`).toString('base64') : '';
  return { page: items.slice(start, end), nextCursor };
}
