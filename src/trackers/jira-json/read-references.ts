import { z } from 'zod';
import type { Sprint, Version } from '../../model/directory.ts';
import type { Status, StatusCategory, User } from '../../model/issue.ts';
import { knownZone } from '../../time/zones.ts';
import { idOf, isNothing, isRecord, odd, textOf } from './json-members.ts';
import { parseInstant } from './parse-instant.ts';

/** An id, which some answers spell as a number. */
export const idText = z.union([z.string(), z.number()]).transform(String);
/** A text that may be absent or of another type. */
export const optionalText = z.string().nullish().catch(null);

/** A status as Jira sends it. */
export const statusShape = z.object({
  id: idText.nullish(),
  name: z.string(),
  statusCategory: z.object({ key: optionalText, name: optionalText }).nullish().catch(null),
  scope: z
    .object({ project: z.object({ id: idText.nullish(), key: optionalText }).nullish() })
    .nullish()
    .catch(null),
});
type JiraStatus = z.output<typeof statusShape>;

/** A person as Jira sends it, as far as it is read here. */
export const jiraPerson = z
  .object({
    accountId: optionalText,
    key: optionalText,
    name: optionalText,
    displayName: optionalText,
    emailAddress: optionalText,
    timeZone: optionalText,
  })
  .nullish();
export type JiraPerson = z.output<typeof jiraPerson>;

/**
 * Cloud identifies people by account id, Data Center by key; the one that is present and not empty is the identity. The
 * name by which people sign in to Data Center can be given to another person, the key cannot.
 */
export function readPerson(person: JiraPerson): User | null {
  if (!person) return null;
  const id = person.accountId || person.key || person.name || person.displayName;
  if (!id) return null;
  // Old exports of Cloud have names as well, which are no longer in use there.
  const login = person.accountId || person.name === id ? null : person.name;
  const email = person.emailAddress;
  const timeZone = knownZone(person.timeZone);
  return {
    id,
    name: person.displayName || person.name || id,
    ...(login ? { login } : {}),
    ...(email ? { email } : {}),
    ...(timeZone ? { timeZone } : {}),
  };
}

/** The keys stay the same in every language of Jira; the names do not. */
const categories: Readonly<Record<string, StatusCategory>> = {
  new: 'To Do',
  indeterminate: 'In Progress',
  done: 'Done',
};

/** A status as Jira sends it; one without an id is identified by its name. */
export function readStatus(raw: JiraStatus): Status {
  const scope = raw.scope?.project?.key ?? raw.scope?.project?.id;
  return {
    id: raw.id ?? raw.name,
    name: raw.name,
    category: categories[raw.statusCategory?.key ?? ''] ?? 'Undefined',
    deleted: false,
    ...(scope ? { scope } : {}),
  };
}

const aDay = /^\d{4}-\d{2}-\d{2}/;

/** A version of a project, by its key; null where nothing says whether it is released. */
export function readVersion(raw: unknown, project: string): Version | null {
  if (!isRecord(raw)) return null;
  const { name, released, archived, releaseDate } = raw;
  if (typeof name !== 'string' || typeof released !== 'boolean') return null;
  const id = idOf(raw.id);
  if (isNothing(id) || id === odd) return null;
  const [day = null] = typeof releaseDate === 'string' ? (aDay.exec(releaseDate) ?? []) : [];
  return {
    id,
    name,
    project: project.toUpperCase(),
    released,
    archived: archived === true,
    releaseDate: day,
  };
}

const states: ReadonlyMap<string, Sprint['state']> = new Map([
  ['future', 'future'],
  ['active', 'active'],
  ['closed', 'closed'],
]);

/** A sprint, which Cloud sends as an object and Data Center as a text; null when it is none. */
export function readSprint(raw: unknown): Sprint | null {
  const shape = typeof raw === 'string' ? sprintText(raw) : raw;
  // Every element of every list of every issue is looked at here, and only few have a state.
  if (!isRecord(shape) || typeof shape.state !== 'string' || typeof shape.name !== 'string') return null;
  const id = idOf(shape.id);
  const state = states.get(shape.state.toLowerCase());
  // The member of the board has a different name in each form of a sprint.
  const own = idOf(shape.boardId);
  const origin = idOf(shape.originBoardId);
  const rapid = idOf(shape.rapidViewId);
  if (isNothing(id) || id === odd || state === undefined) return null;
  if (own === odd || origin === odd || rapid === odd) return null;
  return {
    id,
    name: shape.name,
    state,
    start: parseInstant(textOf(shape.startDate)),
    end: parseInstant(textOf(shape.endDate)),
    completed: parseInstant(textOf(shape.completeDate)),
    board: own ?? origin ?? rapid ?? null,
  };
}

const whole = /^com\.atlassian\.greenhopper\.service\.sprint\.Sprint@[0-9a-f]+\[(.*)\]$/s;

/** Names and goals may hold commas, brackets and equals signs: only a comma before one of these parts members. */
const between =
  /,(?=(?:rapidViewId|state|name|goal|startDate|endDate|completeDate|activatedDate|sequence|synced|autoStartStop|incompleteIssuesDestinationId|id)=)/;

/** The members of a sprint that Data Center wrote down as a text; null when the text is none. */
function sprintText(text: string): Readonly<Record<string, string>> | null {
  const [, inside] = whole.exec(text) ?? [];
  if (inside === undefined) return null;
  const members: Record<string, string> = {};
  for (const part of inside.split(between)) {
    const sign = part.indexOf('=');
    const name = part.slice(0, sign);
    const value = part.slice(sign + 1);
    // The goal ends the text: similar words in it are no members.
    if (sign > 0 && value !== '<null>') members[name] ??= value;
  }
  return members;
}
