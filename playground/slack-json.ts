import type { Problem } from '../src/slack/blocks/check-blocks.ts';

/** A JSON object as it travels. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list; nothing for anything else. */
export function objectsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

/** Text as JSON; `undefined` when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Slack says no: `ok: false` with this error. */
export class Refusal extends Error {
  readonly error: string;
  readonly extra: Json;

  constructor(error: string, extra: Json = {}) {
    super(error);
    this.name = 'Refusal';
    this.error = error;
    this.extra = extra;
  }
}

/** The refusal of blocks or of a view, worded as Slack words it. */
export function problemsRefusal(error: string, problems: readonly Problem[]): Refusal {
  const named = problems.map(
    ({ message }) => /^(msg_blocks_too_long|only_one_table_allowed)/.exec(message)?.[1],
  );
  const messages = problems.map(({ path, message }) => `${message} [json-pointer:${path}]`);
  return new Refusal(named.find((code) => code !== undefined) ?? error, {
    errors: messages,
    response_metadata: { messages: messages.map((message) => `[ERROR] ${message}`) },
  });
}

/** The refusal of a call that lacks something or has it in a wrong form. */
export function argumentsRefusal(...messages: string[]): Refusal {
  return new Refusal('invalid_arguments', {
    response_metadata: { messages: messages.map((message) => `[ERROR] ${message}`) },
  });
}
