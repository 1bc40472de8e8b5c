import type { DataTableBlock, TableBlock } from '@slack/types';
import type { Chart } from '../../../output/charts/chart.ts';
import type { Message } from '../../blocks/message.ts';
import type { Text } from './marked-wording.ts';

/** A table of a message, and its figures in words. */
export interface AnswerTable {
  readonly block: TableBlock;
  readonly text: string;
}

/** A table that is shown whole or in pages, and its figures in words. */
export interface DetailTable {
  readonly block: TableBlock | DataTableBlock;
  readonly text: string;
}

/** A part of a list: from the issue with this index on, so many of all. */
export interface AnswerPage {
  readonly start: number;
  readonly end: number;
  readonly total: number;
}

/** An issue whose assignee can be reminded of it. `assignee` is a user of the tracker. */
export interface AnswerNudge {
  /** The text of its button. */
  readonly title: string;
  readonly key: string;
  readonly assignee: { readonly id: string; readonly name: string };
}

/**
 * A line below the figures; with `nudge` it has a button, or says `withoutAccount` where the assignee is not in Slack. A line
 * without one may have a button that asks or does something else.
 */
export interface AnswerLine {
  readonly text: Text;
  readonly withoutAccount: Text;
  readonly nudge: AnswerNudge | null;
  readonly action?: FollowUp;
}

/** A question that is asked next: what a menu calls it, and its line, such as `/tis WEB-1 by assignee`. */
export interface FollowUp {
  readonly title: string;
  readonly line: string;
}

/** A picture of an answer that a button shows to the person who clicks, with one sentence that says what it shows. */
export interface AnswerChart {
  /** A word that names it in the value of its button. */
  readonly id: string;
  /** The text of its button. */
  readonly title: string;
  readonly text: Text;
  readonly chart: Chart;
  readonly table?: DetailTable | null;
}

/** The content of one answer, in the order in which it is read. */
export interface AnswerSheet {
  /** Answers the question first. */
  readonly headline: Text;
  /** Doubts to know of before the figures are trusted. */
  readonly warnings: readonly Text[];
  /** Figures shown beside each other, at most ten. */
  readonly fields?: readonly Text[];
  /** Small print below the fields. */
  readonly summary?: Text;
  readonly chart?: Chart | null;
  readonly table?: AnswerTable | null;
  /** Sentences below the table. */
  readonly remarks?: readonly Text[];
  /** Issues that need attention: a title, and at most six lines. */
  readonly attention?: { readonly title?: Text; readonly lines: readonly AnswerLine[] };
  /** Reminders of issues of the answer; the first whose assignee is in Slack has a button. */
  readonly nudges?: readonly AnswerNudge[];
  /** At most four, behind the menu of the answer. */
  readonly followUps?: readonly FollowUp[];
  /** A button each, such as the issues of the table. */
  readonly openers?: readonly FollowUp[];
  /** At most four, a button each. */
  readonly charts?: readonly AnswerChart[];
  readonly page?: AnswerPage | null;
  /** The source of the figures. */
  readonly footer: Text;
  /** Messages of the thread below, or behind *Details*; at most five. */
  readonly details?: readonly Message[];
  /** False: no list is behind it that a file can hold. */
  readonly hasFile?: false;
}

/** The readers of an answer: by its principal alone, by all members of a channel, or in a digest. */
export type AnswerPlace = 'private' | 'shared' | 'digest';
