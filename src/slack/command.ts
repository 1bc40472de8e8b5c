import type { ModalView } from '@slack/types';
import type { Message } from '../block-kit/message.ts';
import type { Principal } from '../model/principal.ts';

/** A place for messages all can see. `threadTs` is the message whose thread it is. */
export interface Place {
  readonly channel: string;
  readonly threadTs: string | null;
}

/** Somebody in Slack: with which rights they ask, and the name others know them by. */
export interface Person {
  readonly principal: Principal;
  readonly userName: string;
}

/** What stood behind the slash command, who typed it, and where. */
export interface Asked extends Person {
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
  readonly answer: (asked: Asked, parts: Parts) => Promise<readonly Message[]>;
}

/** A slash command that has been handed its parts. */
export interface ReadyCommand extends CommandLine {
  readonly answer: (asked: Asked) => Promise<readonly Message[]>;
}
