import type { Choice } from './choice-options.ts';
import type { DoorParts } from './command.ts';

/** A menu whose options Slack asks for while somebody types; `id` is its `action_id`. */
export interface SlackMenu {
  readonly id: string;
  /** Everything there is to choose from, as an account may see it; remembered for a minute. */
  choices(account: string, parts: DoorParts): Promise<readonly Choice[]>;
  /** What was typed, as a choice that stands in no list; null where it is none. */
  typed?(text: string, account: string, parts: DoorParts): Promise<Choice | null>;
}
