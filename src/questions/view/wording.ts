import { dateMark, escapeMrkdwn, timeMark, utcText, utcTimeText } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Instant } from '../../model/issue.ts';
import type { HistoryWording } from '../../output/table-records.ts';
import { isolated } from '../../output/text-direction.ts';

const NAME_LENGTH = 80;
const ID_LENGTH = 200;

/** How names, dates, emphasis and links are written where a sentence goes. */
export interface Wording extends HistoryWording {
  /** The time of day alone. */
  readonly time: (at: Instant) => string;
  readonly strong: (text: string) => string;
  /** The same of what is written already. */
  readonly bold: (written: string) => string;
  /** An issue's key; a link where its address is known. */
  readonly key: (key: string, link: string | null) => string;
  /** A user of the tracker; the door that knows their account makes it a mention. */
  readonly person: (person: NamedPerson) => string;
}

/** A user of the tracker; the id is null where it is unknown which one has the name. */
export interface NamedPerson {
  readonly id: string | null;
  readonly name: string;
}

/** For text in which nothing is a mark; it is escaped as a whole. */
export const plain: Wording = {
  date: utcText,
  time: utcTimeText,
  words: isolated,
  strong: isolated,
  bold: (written) => written,
  key: (key) => key,
  person: ({ name }) => isolated(`@${shorten(name, NAME_LENGTH)}`),
};

/** For mrkdwn. */
export const marked: Wording = {
  date: dateMark,
  time: timeMark,
  words: escapeMrkdwn,
  strong: (text) => `*${escapeMrkdwn(text)}*`,
  bold: (written) => `*${written}*`,
  key: (key, link) => (link === null ? escapeMrkdwn(key) : `<${linkText(link)}|${escapeMrkdwn(key)}>`),
  person: ({ id, name }) => {
    const shown = escapeMrkdwn(`@${shorten(name, NAME_LENGTH)}`);
    const written = encodeURIComponent(id?.toWellFormed() ?? '');
    // A longer one would leave no room for what it stands in.
    return id === null || written.length > ID_LENGTH ? shown : `<${PERSON}${written}|${shown}>`;
  },
};

/** Begins the mark of a user of the tracker, which no door sends as it is. */
const PERSON = '@tracker:';

/** Every mark of a user of the tracker in a text: the id, and what is shown where nobody knows their account. */
const personMarks = /<@tracker:([\w%.~!*'()-]*)\|([^>]*)>/g;

/** The users of the tracker whom a text (mrkdwn) names, by id. */
export function peopleIn(text: string): readonly string[] {
  return [...text.matchAll(personMarks)].map(([, id = '']) => decodeURIComponent(id));
}

/** The text with users of the tracker as mentions of their accounts, or by name where `accountOf` knows none. */
export function withMentions(text: string, accountOf: (user: string) => string | null): string {
  return text.replaceAll(personMarks, (_, id: string, shown: string) => {
    const account = accountOf(decodeURIComponent(id));
    return account === null ? shown : `<@${account}>`;
  });
}

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
