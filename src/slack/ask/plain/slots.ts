import type { ParserContext } from '../grammar/parser-context.ts';
import type { Intent } from './vocabulary.ts';

/** Something that words of a sentence say of a question. `isNot`: all but that are wanted. */
export type Slot =
  | { readonly kind: 'intent'; readonly intent: Intent }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'range'; readonly words: string }
  | { readonly kind: 'statistic'; readonly words: string }
  | { readonly kind: 'group'; readonly words: string }
  | { readonly kind: 'calendar'; readonly words: string }
  | { readonly kind: 'unit'; readonly words: string }
  | { readonly kind: 'project'; readonly name: string; readonly isNot?: true }
  | { readonly kind: 'sprint'; readonly name: string; readonly isNot?: true }
  | { readonly kind: 'sprintWord'; readonly which: 'this' | 'last' }
  | { readonly kind: 'saved'; readonly name: string }
  | {
      readonly kind: 'person';
      readonly id: string;
      readonly field: 'assignee' | 'reporter';
      /** `by bob`: who did it, where a change is asked about. */
      readonly isBy?: true;
      readonly isNot?: true;
    }
  | {
      readonly kind: 'value';
      readonly field: string;
      readonly value: string;
      readonly operator: '=' | '!=' | '>=' | '<=';
    }
  /** A condition of JQL. `state`: it speaks of now, not of what was finished. */
  | { readonly kind: 'clause'; readonly jql: string; readonly state: boolean }
  /** A change of status, within the time of the sentence where it has one. */
  | { readonly kind: 'change'; readonly from: string | null; readonly to: string };

/** True if a slot says what is not wanted. */
export function isNegated(slot: Slot): boolean {
  return 'isNot' in slot || (slot.kind === 'value' && slot.operator === '!=');
}

/** A test of slots: true for a slot of one of some kinds or intents. */
export function using(
  ...names: readonly (Exclude<Slot['kind'], 'intent'> | Intent)[]
): (slot: Slot) => boolean {
  const all: ReadonlySet<string> = new Set(names);
  return (slot) => all.has(slot.kind === 'intent' ? slot.intent : slot.kind);
}

/** The part of a sentence that says something; the end is not included. */
export interface Found {
  readonly slot: Slot;
  readonly start: number;
  readonly end: number;
}

/** The things known of a sentence so far. `taken` is true for words that say something, or nothing. */
export interface Sentence {
  readonly context: ParserContext;
  readonly found: readonly Found[];
  readonly taken: readonly boolean[];
  /** Sentences (mrkdwn) about what was taken for granted. */
  readonly assumed: readonly string[];
}
