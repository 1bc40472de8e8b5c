import type { TableBlock } from '@slack/types';
import type { Message } from '../../block-kit/message.ts';
import type { Chart } from '../../output/charts/chart.ts';
import type { Said } from './wording.ts';

/** A table of a message, and its figures in words. */
export interface SheetTable {
  readonly block: TableBlock;
  readonly text: string;
}

/** A part of a list: from the issue with this index on, so many of all. */
export interface SheetPage {
  readonly start: number;
  readonly end: number;
  readonly total: number;
}

/** What the view of one kind of answer has to say, in the order in which it is read. */
export interface Sheet {
  /** Answers the question first. */
  readonly headline: Said;
  /** What is to be known before the figures are trusted. */
  readonly warnings: readonly Said[];
  /** Figures that stand beside each other, at most ten. */
  readonly fields: readonly Said[];
  readonly chart: Chart | null;
  readonly table: SheetTable | null;
  /** What stands below the table. */
  readonly remarks: readonly Said[];
  readonly page: SheetPage | null;
  /** Where the figures come from. */
  readonly foot: Said;
  readonly details: readonly Message[];
  /** There is a list behind it that a file can hold. */
  readonly hasFile: boolean;
  /** It is nobody's business but the principal's. */
  readonly isPersonal: boolean;
}

/** Where an answer is read: by its principal alone, by everybody in a channel, or in a digest. */
export type AnswerPlace = 'private' | 'shared' | 'digest';
