import type { Choice } from './choice-options.ts';

/** A menu whose options Slack asks for while somebody types, and the parts it works with; `id` is its `action_id`. */
export interface SlackMenu<Parts> {
  readonly id: string;
  /** Everything there is to choose from, as an account may see it; remembered for a minute. */
  readonly choices: (account: string, parts: Parts) => Promise<readonly Choice[]>;
  /** What was typed, as a choice that stands in no list; null where it is none. */
  readonly typed?: (text: string, account: string, parts: Parts) => Promise<Choice | null>;
}
