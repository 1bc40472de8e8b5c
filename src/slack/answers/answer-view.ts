import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Answer, Part } from '../../model/answer.ts';
import type { Run } from '../../model/question.ts';
import type { Chart } from '../../output/charts/chart.ts';
import { kindOf } from '../../questions/index.ts';
import type { AnswerPlace, Sheet } from '../../questions/view/answer-sheet.ts';
import { calendarIn } from '../../questions/view/day-length.ts';
import { answerButtons } from './answer-buttons.ts';
import { sheetMessage } from './sheet-message.ts';

/** How an answer is to look. `run` null: it was not kept, so that no button can come back to it. */
export interface Look {
  readonly place: AnswerPlace;
  readonly run: Run | null;
  readonly part: Part;
  /** Who shared it, as others know them; null where nobody did. */
  readonly sharedBy: string | null;
  /** The zone (IANA) of days that are told without a time. */
  readonly timeZone: string;
}

/** An answer as Slack shows it. */
interface AnswerView {
  /** Headline, chart (native, where one fits), table, where the figures come from, buttons. */
  readonly message: Message;
  /** What belongs into a thread below, in order; at most five messages. */
  readonly details: readonly Message[];
  /** The picture that `message` shows natively, for places that must draw it. */
  readonly chart: Chart | null;
}

const NAME_LENGTH = 80;

/** Any answer as a message: a pure view, within Slack's limits whatever the answer holds. */
export function answerView(answer: Answer, look: Look): AnswerView {
  const sheet = sheetOf(answer, look);
  // With nothing to say, there is nothing to share, to explain or to export either.
  const buttons = answerButtons(sheet, look.place === 'private', answer.isEmpty ? null : look.run);
  return {
    message: sheetMessage(sheet, buttons, tracesOf(look)),
    details: sheet.details.slice(0, 5),
    chart: sheet.chart,
  };
}

function sheetOf({ value, question }: Answer, { place, part }: Look): Sheet {
  const { unit } = question;
  const kind = kindOf(question);
  const shown = unit === undefined ? value : kind.withProvenance(value, (one) => calendarIn(one, unit));
  return kind.view(shown, { question, place, part });
}

/** By what a message in a channel is found again, and who put it there. */
function tracesOf({ place, run, sharedBy }: Look): string[] {
  return [
    ...(place === 'private' || run === null ? [] : [`run ${escapeMrkdwn(run.id)}`]),
    ...(sharedBy === null ? [] : [`shared by ${escapeMrkdwn(shorten(sharedBy, NAME_LENGTH))}`]),
  ];
}
