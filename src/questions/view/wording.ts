import { dateMark, escapeMrkdwn, timeMark, utcText, utcTimeText } from '../../block-kit/mrkdwn.ts';
import type { Instant } from '../../model/issue.ts';
import type { HistoryWording } from '../../output/table-records.ts';
import { isolated } from '../../output/text-direction.ts';

/** How names, dates, emphasis and links are written where a sentence goes. */
export interface Wording extends HistoryWording {
  /** The time of day alone. */
  readonly time: (at: Instant) => string;
  readonly strong: (text: string) => string;
  /** The same of what is written already. */
  readonly bold: (written: string) => string;
  /** An issue's key; a link where its address is known. */
  readonly key: (key: string, link: string | null) => string;
}

/** For text in which nothing is a mark; it is escaped as a whole. */
export const plain: Wording = {
  date: utcText,
  time: utcTimeText,
  words: isolated,
  strong: isolated,
  bold: (written) => written,
  key: (key) => key,
};

/** For mrkdwn. */
export const marked: Wording = {
  date: dateMark,
  time: timeMark,
  words: escapeMrkdwn,
  strong: (text) => `*${escapeMrkdwn(text)}*`,
  bold: (written) => `*${written}*`,
  key: (key, link) => (link === null ? escapeMrkdwn(key) : `<${linkText(link)}|${escapeMrkdwn(key)}>`),
};

/** An address in which nothing ends the mark it stands in. */
function linkText(link: string): string {
  return link.replaceAll('<', '%3C').replaceAll('>', '%3E').replaceAll('|', '%7C');
}

/** One sentence for both places. */
export interface Said {
  readonly plain: string;
  readonly marked: string;
}

/** Says a sentence once with marks and once without. */
export function say(sentence: (wording: Wording) => string): Said {
  return { plain: sentence(plain), marked: sentence(marked) };
}

/** A figure beside others: its name, its amount, and lines that compare it. */
export function sayFigure(title: string, amount: string, compared: readonly string[]): Said {
  return say(({ strong }) => [`${strong(title)}: ${amount}`, ...compared].join('\n'));
}
