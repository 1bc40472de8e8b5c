import { shorten } from '../../../output/readable-text.ts';
import { plain, type Wording } from '../../../output/wording.ts';
import { dateMark, escapeMrkdwn, isRecord, timeMark } from '../../blocks/mrkdwn.ts';

const NAME_LENGTH = 80;
const ID_LENGTH = 200;

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
    // A longer id would leave no room for the rest of the text.
    return id === null || written.length > ID_LENGTH ? shown : `<${PERSON}${written}|${shown}>`;
  },
};

/** Begins the mark of a user of the tracker, which no door sends as it is. */
const PERSON = '@tracker:';

/** Every mark of a user of the tracker in a text: the id, and the text shown where the account is unknown. */
const personMarks = /<@tracker:([\w%.~!*'()-]*)\|([^>]*)>/g;

/** The users of the tracker whom the texts (mrkdwn) of a message or a view name, by id. */
export function peopleIn(sent: unknown): ReadonlySet<string> {
  const people = new Set<string>();
  mapTexts(sent, (text) => {
    for (const [, id = ''] of text.matchAll(personMarks)) people.add(decodeURIComponent(id));
    return text;
  });
  return people;
}

/**
 * The same message or view with users of the tracker as mentions of their accounts: by name where `accountOf` gives null, as they have
 * none, and as `@name` where it gives undefined.
 */
export function withMentions<Sent>(sent: Sent, accountOf: (user: string) => string | null | undefined): Sent {
  return mapTexts(sent, (text) =>
    text.replaceAll(personMarks, (_, id: string, shown: string) => {
      const account = accountOf(decodeURIComponent(id));
      if (account === undefined) return shown;
      return account === null ? shown.replace('@', '') : `<@${account}>`;
    }),
  );
}

/** The same JSON value with each text that names users changed; a part without any is not copied. */
function mapTexts<Value>(value: Value, change: (text: string) => string): Value;
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return value.includes(`<${PERSON}`) ? change(value) : value;
  if (Array.isArray(value)) {
    let items: unknown[] | null = null;
    for (let i = 0; i < value.length; i += 1) {
      const changed = mapTexts(value[i], change);
      if (changed === value[i]) continue;
      items ??= [...value];
      items[i] = changed;
    }
    return items ?? value;
  }
  if (!isRecord(value)) return value;
  let members: Record<string, unknown> | null = null;
  for (const name in value) {
    const changed = mapTexts(value[name], change);
    if (changed === value[name]) continue;
    members ??= { ...value };
    members[name] = changed;
  }
  return members ?? value;
}

/** An address without the characters that would end its mark. */
function linkText(link: string): string {
  return link.replaceAll('<', '%3C').replaceAll('>', '%3E').replaceAll('|', '%7C');
}

/** One sentence for both places. */
export interface Text {
  readonly plain: string;
  readonly marked: string;
}

/** A sentence once with marks and once without. */
export function wordedText(sentence: (wording: Wording) => string): Text {
  return { plain: sentence(plain), marked: sentence(marked) };
}

/** Texts one after the other. */
export function joinedTexts(texts: readonly Text[], separator: string): Text {
  return {
    plain: texts.map(({ plain }) => plain).join(separator),
    marked: texts.map(({ marked }) => marked).join(separator),
  };
}
