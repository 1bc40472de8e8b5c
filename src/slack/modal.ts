import type { DoorParts, Person, Place } from './command.ts';
import type { Message } from './message.ts';

/** A modal as it was submitted: by whom, what it carries, and the chosen option of each menu by its `action_id`. */
export interface Submission extends Person {
  readonly metadata: string;
  readonly chosen: Readonly<Record<string, string>>;
}

/** One kind of modal; `id` is its `callback_id`. */
export interface SlackModal {
  readonly id: string;
  readonly title: string;
  /** What it shows while the answer is made, for Slack waits for none. */
  readonly meanwhile: string;
  /** Where the answer is told to who has closed the modal meanwhile. */
  placeOf(submission: Submission): Place;
  answer(submission: Submission, parts: DoorParts): Promise<Message>;
}
