import type { Problem } from '../src/slack/blocks/check-blocks.ts';
import type { Json } from './slack-json.ts';

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
