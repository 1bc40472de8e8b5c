import type { ModalView } from '@slack/types';
import type { Message } from '../block-kit/message.ts';
import type { Instant } from '../model/issue.ts';
import type { Person, Place } from './command.ts';

/** What a modal held when it was submitted, by the `action_id` of its inputs; what was left empty is absent. */
export interface Inputs {
  /** The chosen option of each menu, or the conversation. */
  readonly chosen: Readonly<Record<string, string>>;
  /** The chosen options of each menu that takes several, in the order of choosing. */
  readonly chosenAll: Readonly<Record<string, readonly string[]>>;
  /** Accounts chosen in menus of people, for one or for several. */
  readonly accounts: Readonly<Record<string, readonly string[]>>;
  readonly instants: Readonly<Record<string, Instant>>;
  /** What was typed, and days (yyyy-MM-dd). */
  readonly texts: Readonly<Record<string, string>>;
}

/** A modal as it was submitted: by whom, what it carries and what it held. */
export interface Submission extends Person, Inputs {
  readonly metadata: string;
}

/** What is told of a submission. */
export interface ModalAnswer extends Message {
  /** This modal, shown anew instead for somebody to put right what was wrong. */
  readonly again?: ModalView;
  /** What is told in its place once that is known. */
  readonly later?: Promise<Message>;
}

/** One kind of modal, and the parts it works with; `id` is its `callback_id`. */
export interface SlackModal<Parts> {
  readonly id: string;
  readonly title: string;
  /** What it shows while the answer is made, for Slack waits for none. */
  readonly meanwhile: string;
  /** What can be seen to be wrong at once, by `block_id`; nothing is answered then. */
  wrongAtOnce?(submission: Submission, now: Instant): Readonly<Record<string, string>>;
  /** Where the answer is told to who has closed the modal meanwhile. */
  placeOf(submission: Submission): Place;
  readonly answer: (submission: Submission, parts: Parts) => Promise<ModalAnswer>;
}
