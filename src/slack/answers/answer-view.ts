import type { Answer, Part } from '../../api/answers.ts';
import type { Chart } from '../../charts/chart.ts';
import type { Run } from '../../model/question.ts';
import type { Message } from '../message.ts';

/** Where an answer is read: by its asker alone, by everybody in a channel, or in a digest. */
export type AnswerPlace = 'private' | 'shared' | 'digest';

/** How an answer is to look. `run` null: it was not kept, so that no button can come back to it. */
export interface Look {
  readonly place: AnswerPlace;
  readonly run: Run | null;
  readonly part: Part;
  /** Who shared it, as others know them; null where nobody did. */
  readonly sharedBy: string | null;
  /** Duration words count days of this length (ms) where the calendar's days are equal, else of 24 hours. */
  readonly timeZone: string;
}

/** An answer as Slack shows it. */
export interface AnswerView {
  /** Headline, chart (native, where one fits), table, where the figures come from, buttons. */
  readonly message: Message;
  /** What belongs into a thread below, in order; at most five messages. */
  readonly details: readonly Message[];
  /** The picture that `message` shows natively, for places that must draw it. */
  readonly chart: Chart | null;
}

/** Any answer as a message: a pure view, within Slack's limits whatever the answer holds. */
export function answerView(_answer: Answer, _look: Look): AnswerView {
  throw new Error('views of answers are not built');
}
