import type { ModalView } from '@slack/types';
import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/request.ts';
import type { Message } from '../blocks/message.ts';

/** The place where a message is seen. `threadTs` is the message whose thread it is. */
export interface Place {
  readonly channel: string;
  readonly threadTs: string | null;
  /** The channel a person looks at while they write to the app directly; absent where Slack does not say. */
  readonly inView?: string;
}

/** A person in Slack: their permissions, and the name others know them by. */
export interface Person {
  readonly principal: Principal;
  readonly userName: string;
}

interface Opening {
  /** Opens a modal for the person; good for three seconds. */
  open(view: ModalView): Promise<void>;
}

/** The text that a person typed after a slash command in a place: without blanks around it, and split at blanks. */
export interface SlashInvocation extends Person, Opening {
  readonly text: string;
  readonly words: readonly string[];
  readonly place: Place;
}

/** One thing a slash command does, for help and manifest. The one entry of a root without a `word` takes everything else. */
export interface CommandLine {
  readonly root: string;
  readonly word: string | null;
  readonly usage: string;
  readonly summary: string;
  /** Lines that work, or would with other names. */
  readonly examples?: readonly string[];
  /** The form of `/tis settings` does the same, so no list names it. */
  readonly isInSettings?: true;
  /** More for people who ask for help about this word. */
  readonly details?: string;
}

/** The same with its answer: messages only this person sees, in order; at most five, as often as a response URL works. */
export interface SlashCommand<Parts> extends CommandLine {
  readonly answer: (invocation: SlashInvocation, parts: Parts) => Promise<readonly Message[]>;
  /** The answer where nothing follows the command; absent: the same. */
  readonly alone?: (invocation: SlashInvocation, parts: Parts) => Promise<readonly Message[]>;
}

/** A slash command that has been handed its parts. */
export interface ReadyCommand extends CommandLine {
  readonly answer: (invocation: SlashInvocation) => Promise<readonly Message[]>;
}

/** The modal or the Home tab of a click. */
export interface ClickedView extends Inputs {
  readonly kind: 'modal' | 'home';
  /** Its `private_metadata`. */
  readonly metadata: string;
  /** Shows another view there; one that was closed meanwhile stays closed. */
  replace(view: ModalView): Promise<void>;
}

/** A click on a button, or a choice in a menu. A modal opens above the one that was clicked in. */
export interface Click extends Person, Opening {
  /** The value of the button, or of the option that was chosen. */
  readonly value: string;
  /** In a view, the person's conversation with the app, by their account. */
  readonly place: Place;
  /** Empty in a view. */
  readonly messageTs: string;
  /** Null in a message. */
  readonly view: ClickedView | null;
  /** Makes the message another one that only this person sees; null where others see it, and in a view. */
  readonly replace: ((message: Message) => Promise<void>) | null;
}

/**
 * One kind of button or menu; `id` is its `action_id`. Its messages, at most five, are seen by this person only; those
 * of a click in a view come in their conversation with the app.
 */
export interface SlackAction<Parts> {
  readonly id: string;
  readonly run: (click: Click, parts: Parts) => Promise<readonly Message[]>;
}

/** The contents of a modal when it was submitted, by the `action_id` of its inputs; inputs left empty are absent. */
export interface Inputs {
  /** The option of each menu, or the conversation. */
  readonly chosen: Readonly<Record<string, string>>;
  /** The options of each menu that takes several, in the order of choosing. */
  readonly chosenAll: Readonly<Record<string, readonly string[]>>;
  /** Accounts chosen in menus of people. */
  readonly accounts: Readonly<Record<string, readonly string[]>>;
  readonly instants: Readonly<Record<string, Instant>>;
  /** Typed texts, and days (yyyy-MM-dd). */
  readonly texts: Readonly<Record<string, string>>;
}

/** A submitted modal. */
export interface Submission extends Person, Inputs {
  readonly metadata: string;
}

/** The answer to a submission. */
export interface ModalAnswer extends Message {
  /** This modal shown again instead, for what was wrong in it. */
  readonly again?: ModalView;
  /** The message that replaces the answer once it is known. */
  readonly later?: Promise<Message>;
}

/** One kind of modal; `id` is its `callback_id`. */
export interface SlackModal<Parts> {
  readonly id: string;
  readonly title: string;
  /** The text it shows while the answer is made, for Slack does not wait. */
  readonly meanwhile: string;
  /** The problems at first sight, by `block_id`; where there are any, nothing is answered. */
  wrongAtOnce?(submission: Submission, now: Instant): Readonly<Record<string, string>>;
  /** The place of the answer if the modal was closed meanwhile. */
  placeOf(submission: Submission): Place;
  readonly answer: (submission: Submission, parts: Parts) => Promise<ModalAnswer>;
}

/** A menu whose options Slack asks for while a person types; `id` is its `action_id`, up to a colon. */
export interface SlackMenu<Parts> {
  readonly id: string;
  /** All choices an account has; remembered for a minute. */
  readonly choices: (account: string, parts: Parts) => Promise<readonly Choice[]>;
  /** The typed text as a choice that is in no list; null where it is none. */
  readonly typed?: (text: string, account: string, parts: Parts) => Promise<Choice | null>;
}

/** A picked shortcut; a message shortcut with its message. */
export interface Picked extends Person, Opening {
  readonly message: { readonly text: string; readonly ts: string; readonly place: Place } | null;
}

/**
 * One shortcut; `id` is its `callback_id`, and the manifest declares it. Its messages are seen by this person only; those
 * of a global one come in their conversation with the app.
 */
export interface SlackShortcut<Parts> {
  readonly id: string;
  readonly type: 'global' | 'message';
  readonly run: (picked: Picked, parts: Parts) => Promise<readonly Message[]>;
}

/** A choice of a menu: what it is called, and its value. */
export type Choice = readonly [title: string, value: string];
