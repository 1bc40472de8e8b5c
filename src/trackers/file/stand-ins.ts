import type { JiraItem } from '../jira-json/jira-schema.ts';
import { isRecord } from '../jira-json/json-members.ts';
import { jiraPerson, readPerson } from '../jira-json/read-references.ts';
import { type JiraAuthor, type KnownParts, wellFormedItem } from '../jira-json/well-formed-issue.ts';

/** The only member of a stand-in: the place of what it stands for. */
const PLACE = '';

/** The objects behind stand-ins in shortened texts; each is parsed and read once. */
export interface StandIns extends KnownParts {
  /** Adds objects as JSON, in the order of their places. */
  learn(texts: readonly string[]): void;
  /** Puts the objects back into the fields of a parsed issue; what a changelog has is looked up when it is read. */
  restore(issue: unknown): void;
}

export function createStandIns(): StandIns {
  /** JSON until the first use: half of the objects never occur again. */
  const texts: (string | null)[] = [];
  const raws: unknown[] = [];
  const authors: (JiraAuthor | undefined)[] = [];
  const items: (JiraItem | null | undefined)[] = [];
  const rawAt = (place: number): unknown => {
    const text = texts[place];
    if (typeof text === 'string') {
      raws[place] = JSON.parse(text);
      texts[place] = null;
    }
    return raws[place];
  };
  const restored = (raw: unknown): unknown => {
    const place = placeOf(raw);
    return place === null ? raw : rawAt(place);
  };

  return {
    learn(added) {
      for (const text of added) {
        texts.push(text);
        raws.push(undefined);
      }
    },
    restore(issue) {
      const fields = isRecord(issue) ? issue.fields : null;
      if (!isRecord(fields)) return;
      for (const id of Object.keys(fields)) {
        const raw = fields[id];
        if (raw === null || typeof raw !== 'object') continue;
        if (Array.isArray(raw)) for (let i = 0; i < raw.length; i += 1) raw[i] = restored(raw[i]);
        else if (placeOf(raw) !== null) Reflect.set(fields, id, restored(raw));
      }
    },
    authorOf(raw) {
      const place = placeOf(raw);
      if (place === null) return null;
      const known = authors[place];
      if (known !== undefined) return known;
      const author = jiraPerson.catch(null).parse(rawAt(place));
      authors[place] = { author, by: readPerson(author) };
      return authors[place];
    },
    itemOf(raw) {
      const place = placeOf(raw);
      if (place === null) return null;
      const known = items[place];
      if (known !== undefined) return known;
      items[place] = wellFormedItem(rawAt(place));
      return items[place];
    },
  };
}

function placeOf(raw: unknown): number | null {
  if (!isRecord(raw)) return null;
  const place = raw[PLACE];
  return typeof place === 'number' && Object.keys(raw).length === 1 ? place : null;
}
