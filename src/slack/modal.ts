import type { ModalView } from '@slack/types';
import type { DoorParts, Person } from './command.ts';

/** A modal as it was submitted: by whom, what it carries, and the chosen option of each menu by its `action_id`. */
export interface Submission extends Person {
  readonly metadata: string;
  readonly chosen: Readonly<Record<string, string>>;
}

/** One kind of modal; `id` is its `callback_id`. */
export interface SlackModal {
  readonly id: string;
  /** What it shows while the answer is made, for Slack waits for none. */
  readonly meanwhile: ModalView;
  answer(submission: Submission, parts: DoorParts): Promise<ModalView>;
}
