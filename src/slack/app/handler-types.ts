import type { ModalView } from '@slack/types';
import type { Message } from '../../block-kit/message.ts';
import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';

/** A place for messages all can see. `threadTs` is the message whose thread it is. */
export interface Place {
  readonly channel: string;
  readonly threadTs: string | null;
  /** The channel that someone looks at while they write to the app directly; absent where Slack does not say. */
  readonly inView?: string;
}

/** Somebody in Slack: with which rights they ask, and the name others know them by. */
export interface Person {
  readonly principal: Principal;
  readonly userName: string;
}

/** What stood behind the slash command, who typed it, and where. */
export interface SlashInvocation extends Person {
  /** As it was typed, without blanks around it. */
  readonly text: string;
  /** The same, split at blanks. */
  readonly words: readonly string[];
  readonly place: Place;
  /** Shows a modal to the principal; good for three seconds. */
  open(view: ModalView): Promise<void>;
}

/**
 * One thing a slash command can do, as help, usage hint and manifest show it. `word` is what has to be typed after the
 * slash command to get there; the one entry without a word takes everything else.
 */
export interface CommandLine {
  readonly root: string;
  readonly word: string | null;
  readonly usage: string;
  readonly summary: string;
  /** Lines that work, or would with other names; the usage itself is no example. */
  readonly examples?: readonly string[];
  /** What there is to know beyond the summary, for people who ask for help about this word. */
  readonly details?: string;
}

/** The same with its answer: messages only the principal sees, in order; at most five, as often as a response URL may be used. */
export interface SlashCommand<Parts> extends CommandLine {
  readonly answer: (asked: SlashInvocation, parts: Parts) => Promise<readonly Message[]>;
}

/** A slash command that has been handed its parts. */
export interface ReadyCommand extends CommandLine {
  readonly answer: (asked: SlashInvocation) => Promise<readonly Message[]>;
}

/** The modal or the Home tab in which somebody clicked. */
export interface ClickedView extends Inputs {
  readonly kind: 'modal' | 'home';
  readonly id: string;
  /** The `private_metadata` it carries. */
  readonly metadata: string;
  /** Shows a modal anew; one that was closed meanwhile stays closed. */
  replace(view: ModalView): Promise<void>;
}

/** A click on a button, or a choice in a menu: by whom, what it carries, and where it was. */
export interface Click extends Person {
  /** Of a button what it carries, of a menu what was chosen: an option's value, an account, a channel, a date. */
  readonly value: string;
  /** In a view, which stands in no channel, the conversation of who clicked with the app, by their account. */
  readonly place: Place;
  /** Empty in a view. */
  readonly messageTs: string;
  /** How long the message has stood there when the button was pressed; 0 in a view. */
  readonly messageAgeMs: number;
  /** Null where it was in a message. */
  readonly view: ClickedView | null;
  /** Makes the message another one that nobody but who clicked sees; null where others see it, and in a view. */
  readonly replace: ((message: Message) => Promise<void>) | null;
  /** Shows a modal to whoever clicked, above the one they clicked in; good for three seconds. */
  open(view: ModalView): Promise<void>;
}

/** One kind of button or menu, and the parts it works with; `id` is its `action_id`. */
export interface SlackAction<Parts> {
  readonly id: string;
  /**
   * Messages only the one who clicked sees, in order; at most five. Where the click was in a view they come in the
   * conversation with the app.
   */
  readonly run: (click: Click, parts: Parts) => Promise<readonly Message[]>;
}

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

/** A menu whose options Slack asks for while somebody types, and the parts it works with; `id` is its `action_id`. */
export interface SlackMenu<Parts> {
  readonly id: string;
  /** Everything there is to choose from, as an account may see it; remembered for a minute. */
  readonly choices: (account: string, parts: Parts) => Promise<readonly Choice[]>;
  /** What was typed, as a choice that stands in no list; null where it is none. */
  readonly typed?: (text: string, account: string, parts: Parts) => Promise<Choice | null>;
}

/** Somebody picked a shortcut; of a message shortcut with the message and its place. */
export interface Picked extends Person {
  readonly message: { readonly text: string; readonly ts: string; readonly place: Place } | null;
  /** Shows a modal to whoever picked it; good for three seconds. */
  open(view: ModalView): Promise<void>;
}

/** One shortcut, and the parts it works with; `id` is its `callback_id`, and the manifest declares it. */
export interface SlackShortcut<Parts> {
  readonly id: string;
  readonly type: 'global' | 'message';
  /** Messages only the one who picked it sees, in order; of a global one they come in the conversation with the app. */
  readonly run: (picked: Picked, parts: Parts) => Promise<readonly Message[]>;
}

/** A choice of a menu: what it is called, and its value. */
export type Choice = readonly [title: string, value: string];
