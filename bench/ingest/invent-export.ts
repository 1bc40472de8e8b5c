import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { millisecondsInHour } from 'date-fns/constants';
import { seeded } from '../../test/support/seeded.ts';

const SITE = 'https://stand-in.example';
const PROJECTS = ['WEB', 'APP', 'OPS', 'DATA', 'HR', 'PAY', 'LAB', 'DOC'];
const PEOPLE = 400;
const ENTRIES = 22;
const statuses = [
  { id: '1', name: 'To Do', key: 'new' },
  { id: '3', name: 'In Progress', key: 'indeterminate' },
  { id: '10001', name: 'In Review', key: 'indeterminate' },
  { id: '10002', name: 'Testing', key: 'indeterminate' },
  { id: '10003', name: 'Blocked', key: 'indeterminate' },
  { id: '6', name: 'Done', key: 'done' },
];
/** 25 of them, of which every eighth shares its entry with the one before. */
const changedFields = [
  ...['status', 'assignee', 'status', 'customfield_10020', 'status', 'priority', 'status', 'Rank', 'status'],
  ...['assignee', 'summary', 'status', 'labels', 'Rank', 'status', 'customfield_10016', 'summary'],
  ...['status', 'assignee', 'Rank', 'Link', 'components', 'status', 'duedate', 'resolution'],
];

type Chance = () => number;

/**
 * Writes one answer of Jira Cloud's search with so many issues, each as the API tells it: 25 changes with whole author
 * objects, some 31 KiB, on a line of its own. The same file for the same number, and a smaller one begins with the same
 * issues. Ends with the number of bytes.
 */
export async function writeInventedExport(file: string, count: number): Promise<number> {
  const out = createWriteStream(file);
  await pipeline(Readable.from(textsOf(count)), out);
  return out.bytesWritten;
}

function* textsOf(count: number): Generator<string> {
  yield `{"expand":"schema,names","startAt":0,"maxResults":${count},"total":${count},"issues":[`;
  for (let n = 0; n < count; n += 1) yield `${n === 0 ? '' : ',\n'}${JSON.stringify(inventRawIssue(n))}`;
  yield ']}';
}

/** The `n`th (from 0) issue as Jira's JSON. */
export function inventRawIssue(n: number): unknown {
  const chance = seeded(n + 1);
  const project = PROJECTS[n % PROJECTS.length] ?? 'WEB';
  const key = `${project}-${Math.floor(n / PROJECTS.length) + 1}`;
  const created = Date.UTC(2023, 0, 2) + Math.floor(n * 60_000 + chance() * 3_600_000);
  const { histories, status, last } = inventHistories(n, created, chance);
  const fields = {
    summary: `Invented issue ${n} about ${word(chance)} and ${word(chance)}`,
    created: written(created),
    updated: written(last),
    resolutiondate: status.key === 'done' ? written(last) : null,
    statuscategorychangedate: written(last),
    status: statusJson(status),
    project: projectJson(n % PROJECTS.length),
    assignee: person(chance),
    reporter: person(chance),
    creator: person(chance),
    issuetype: {
      self: `${SITE}/rest/api/3/issuetype/10001`,
      id: '10001',
      description: 'A piece of work.',
      iconUrl: `${SITE}/rest/api/2/universal_avatar/view/type/issuetype/avatar/10315?size=medium`,
      name: 'Story',
      subtask: false,
      avatarId: 10_315,
      hierarchyLevel: 0,
    },
    priority: {
      self: `${SITE}/rest/api/3/priority/${1 + (n % 5)}`,
      iconUrl: `${SITE}/images/icons/priorities/medium.svg`,
      name: `Priority ${1 + (n % 5)}`,
      id: String(1 + (n % 5)),
    },
    labels: [`label-${n % 50}`, 'imported'],
    components: [
      { self: `${SITE}/rest/api/3/component/${n % 6}`, id: String(10_100 + (n % 6)), name: `Part ${n % 6}` },
    ],
    fixVersions: [],
    versions: [],
    customfield_10016: 1 + (n % 8),
    customfield_10020: [3, 2, 1].map((back) => sprint(Math.max(1, Math.floor(n / 200) - back))),
    customfield_10019: `0|i${n.toString(36).padStart(5, '0')}:`,
    parent: null,
    duedate: null,
    resolution: null,
    environment: null,
    description: documentOf(chance),
    timeestimate: null,
    timeoriginalestimate: 3_600 * (n % 9),
    aggregatetimespent: null,
    workratio: -1,
    watches: { self: `${SITE}/rest/api/3/issue/${key}/watchers`, watchCount: n % 4, isWatching: false },
    votes: { self: `${SITE}/rest/api/3/issue/${key}/votes`, votes: 0, hasVoted: false },
    ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`customfield_${10_100 + i}`, null])),
  };
  return {
    expand: 'operations,versionedRepresentations,editmeta,changelog,renderedFields',
    id: String(100_000 + n),
    self: `${SITE}/rest/api/3/issue/${100_000 + n}`,
    key,
    changelog: { startAt: 0, maxResults: histories.length, total: histories.length, histories },
    fields,
  };
}

function inventHistories(n: number, created: number, chance: Chance) {
  const histories: { id: string; author: unknown; created: string; items: unknown[] }[] = [];
  let status = pick(statuses, () => 0);
  let last = created;
  changedFields.forEach((field, i) => {
    const isSameEntry = histories.length > 0 && i % 8 === 7;
    if (!isSameEntry) last += Math.floor(chance() * 60 * millisecondsInHour);
    const next = field === 'status' ? pick(statuses, chance) : status;
    const item = itemOf(field, n, status, next, chance);
    status = next;
    if (isSameEntry) histories[0]?.items.push(item);
    else {
      const id = String(10_000_000 + n * ENTRIES + i);
      histories.unshift({ id, author: person(chance), created: written(last), items: [item] });
    }
  });
  return { histories, status, last };
}

function itemOf(
  field: string,
  n: number,
  before: (typeof statuses)[number],
  after: (typeof statuses)[number],
  chance: Chance,
) {
  const frame = (
    from: string | null,
    fromString: string | null,
    to: string | null,
    toText: string | null,
  ) => ({
    field,
    fieldtype: field.startsWith('customfield') ? 'custom' : 'jira',
    fieldId: field,
    from,
    fromString,
    to,
    toString: toText,
  });
  if (field === 'status') return frame(before.id, before.name, after.id, after.name);
  if (field === 'assignee') {
    const [from, to] = [Math.floor(chance() * PEOPLE), Math.floor(chance() * PEOPLE)];
    return {
      ...frame(accountId(from), `Person ${from}`, accountId(to), `Person ${to}`),
      tmpFromAccountId: accountId(from),
      tmpToAccountId: accountId(to),
    };
  }
  if (field === 'summary') return frame(null, `Invented ${word(chance)} ${n}`, null, `Invented issue ${n}`);
  if (field === 'Rank') return frame('', '', '', chance() < 0.5 ? 'Ranked higher' : 'Ranked lower');
  if (field === 'components') return frame(null, null, String(10_100 + (n % 6)), `Part ${n % 6}`);
  return frame(null, null, String(n % 40), `${field} ${n % 40}`);
}

function person(chance: Chance): unknown {
  const n = Math.floor(chance() * PEOPLE);
  const picture = `https://avatars.stand-in.example/avatar/${(n * 2_654_435_761).toString(16).padStart(32, '0')}`;
  const initials = `https%3A%2F%2Favatars.stand-in.example%2FP${n % 10}-${n % 7}.png`;
  return {
    self: `${SITE}/rest/api/3/user?accountId=${accountId(n)}`,
    accountId: accountId(n),
    emailAddress: `person.${n}@stand-in.example`,
    avatarUrls: Object.fromEntries(
      [48, 24, 16, 32].map((size) => [`${size}x${size}`, `${picture}?s=${size}&d=${initials}`]),
    ),
    displayName: `Person ${n}`,
    active: true,
    timeZone: 'Europe/Berlin',
    accountType: 'atlassian',
  };
}

function accountId(n: number): string {
  return `557058:${(n * 7_919).toString(16).padStart(8, '0')}-4a1b-4c2d-9e3f-${(n * 104_729).toString(16).padStart(12, '0')}`;
}

function statusJson({ id, name, key }: (typeof statuses)[number]): unknown {
  return {
    self: `${SITE}/rest/api/3/status/${id}`,
    description: '',
    iconUrl: `${SITE}/images/icons/statuses/generic.png`,
    name,
    id,
    statusCategory: {
      self: `${SITE}/rest/api/3/statuscategory/4`,
      id: 4,
      key,
      colorName: 'yellow',
      name: key,
    },
  };
}

function projectJson(n: number): unknown {
  const key = PROJECTS[n] ?? 'WEB';
  const avatar = `${SITE}/rest/api/3/universal_avatar/view/type/project/avatar/${10_400 + n}`;
  return {
    self: `${SITE}/rest/api/3/project/${10_000 + n}`,
    id: String(10_000 + n),
    key,
    name: `${key} project`,
    projectTypeKey: 'software',
    simplified: false,
    avatarUrls: Object.fromEntries(
      [48, 24, 16, 32].map((size) => [`${size}x${size}`, `${avatar}?size=${size}`]),
    ),
  };
}

function sprint(n: number): unknown {
  const start = Date.UTC(2023, 0, 2) + n * 14 * 24 * millisecondsInHour;
  const at = (days: number) => new Date(start + days * 24 * millisecondsInHour).toISOString();
  return {
    id: 300 + n,
    name: `Sprint ${n}`,
    state: 'closed',
    boardId: 7,
    goal: '',
    startDate: at(0),
    endDate: at(13),
    completeDate: at(14),
  };
}

function documentOf(chance: Chance): unknown {
  const paragraph = () => ({
    type: 'paragraph',
    content: [{ type: 'text', text: Array.from({ length: 30 }, () => word(chance)).join(' ') }],
  });
  return { version: 1, type: 'doc', content: [paragraph(), paragraph()] };
}

/** As Jira writes instants: with an offset that lacks its colon. */
function written(instant: number): string {
  return new Date(instant + millisecondsInHour).toISOString().replace('Z', '+0100');
}

const words = ['login', 'basket', 'invoice', 'slow', 'wrong', 'missing', 'report', 'crash', 'colour', 'mail'];
const word = (chance: Chance) => pick(words, chance);

function pick<One>(from: readonly One[], chance: Chance): One {
  const one = from[Math.floor(chance() * from.length)];
  if (one === undefined) throw new Error('Nothing to pick from.');
  return one;
}
