import { queryOf } from '../../../api/parameters/rolling-range.ts';
import {
  asLiteral,
  mayNameCurrentUser,
  splitQuery,
  withCurrentUserNamed,
} from '../../../api/reporting/query-text.ts';
import { type AppError, badRequest, badRequestAs } from '../../../model/error.ts';
import { straightLiterals } from '../../../model/issues/straight-literals.ts';
import type { Selection } from '../../../model/request.ts';
import { shorten } from '../../../output/readable-text.ts';
import { calendarName } from '../../../time/working-days.ts';
import { codeText } from '../../blocks/mrkdwn.ts';
import { didYouMean, namesMeant, nearestOf, onlyMeant, unknownWord } from './names-meant.ts';
import { lastTail, parseOptions, statisticWords, tailKinds } from './parse-options.ts';
import { type FilterKind, filterKinds, type ParserContext } from './parser-context.ts';
import {
  oneOf,
  plainText,
  readIssueKeys,
  slackMarks,
  sourceOf,
  units,
  unquoted,
  type Word,
  wordsOf,
} from './typed-words.ts';

/** Issues chosen in words. `title` is their name. */
export interface Filter {
  readonly selection: Selection;
  readonly title: string;
  /** The id or the name of the sprint it is, where it is the issues of one. */
  readonly sprint?: string;
  /** A sentence (mrkdwn) about what was taken for granted, if anything was. */
  readonly remark?: string;
}

/** The filters that `readFilter` takes. */
const allowedFilters = 'a project (WEB), an issue (WEB-1) or a query (jql status = Done)';

const anyOperator = /^[\w"'(!].*?([=~<>]|\bin\s*\(|\bin\s+\w+\(|\bis\s+(not\s+)?(empty|null)\b)/is;

const MAX_TITLE = 60;

/** Reads which issues are meant; words that mean none are a `bad-request` that says what was allowed. */
export async function readFilter(words: readonly Word[], context: ParserContext): Promise<Filter> {
  const [first, ...others] = words;
  if (first === undefined) throw badRequestAs('missing-value', `Which issues? Try: ${allowedFilters}.`);
  const kind = oneOf(filterKinds, first.plain);
  if (kind !== undefined && !(words.length === 1 && (await context.isProject(first.plain)))) {
    return ofKind(kind, others, words, context);
  }
  const { keys, others: noKeys } = readIssueKeys(words.map(({ plain }) => plain));
  if (keys.length > 0 && noKeys.length === 0)
    return { selection: { by: 'keys', keys }, title: keys.join(', ') };
  const name = unquoted(sourceOf(words));
  if (await context.isProject(name)) return ofProject(name);
  if (anyOperator.test(unmarked(words))) return ofQuery(words, context);
  throw await leftoverError(words, context);
}

async function ofKind(
  kind: FilterKind,
  behind: readonly Word[],
  all: readonly Word[],
  context: ParserContext,
): Promise<Filter> {
  if (behind.length === 0) {
    const missing =
      kind === 'jql' ? 'a query, such as jql status = Done' : `a name, such as ${kind} ${examples[kind]}`;
    throw badRequestAs('missing-value', `What comes after "${kind}" is missing. Try: ${missing}.`);
  }
  if (kind === 'jql') return ofQuery(behind, context);
  if (operator.test(unmarked(behind))) return ofQuery(all, context);
  const name = unquoted(sourceOf(behind));
  if (kind === 'project') {
    if (await context.isProject(name)) return ofProject(name);
    throw await leftoverError(behind, context, 'project');
  }
  if (kind === 'assignee') return ofAssignee(name, context);
  const title = `${kind} ${shorten(name, MAX_TITLE)}`;
  if (/^\d+$/.test(name)) {
    return {
      selection: kind === 'filter' ? { by: 'savedFilter', id: name } : { by: 'sprint', id: name },
      title,
      ...(kind === 'sprint' ? { sprint: name } : {}),
    };
  }
  if (kind === 'sprint') return ofSprint(name, context);
  return { selection: { by: 'jql', jql: `filter = ${asLiteral(name)}` }, title };
}

/** A part of the one sprint it can be will do, where all names are known. */
async function ofSprint(name: string, context: ParserContext): Promise<Filter> {
  const called = (sprint: string): Filter => ({
    selection: { by: 'jql', jql: `sprint = ${asLiteral(sprint)}` },
    title: `sprint ${shorten(sprint, MAX_TITLE)}`,
    sprint,
  });
  const known = await context.knownBeside('sprint', name);
  if (known === null || known.names.length === 0) return called(name);
  const all = await context.sprintNames();
  const { names, unlisted } = all.length === 0 ? known : { names: [...new Set(all)], unlisted: 0 };
  const meant = unlisted === 0 ? onlyMeant(name, names) : null;
  if (meant === null || (await context.knownBeside('sprint', meant)) !== null) {
    throw unknownWord('sprint', name, names, unlisted);
  }
  return { ...called(meant), remark: `I took ${codeText(name)} for the sprint ${codeText(meant)}.` };
}

const examples = {
  project: 'WEB',
  sprint: 'in openSprints()',
  filter: '"Open bugs of the web shop"',
  assignee: 'ada',
} as const;

function unmarked(words: readonly Word[]): string {
  return plainText(words).replaceAll(slackMarks, '@');
}

function ofProject(project: string): Filter {
  return { selection: { by: 'project', project }, title: shorten(project, MAX_TITLE) };
}

/** A mention is the tracker's user behind it; `me` is who asks now, and stays so when others ask it again. */
async function ofAssignee(name: string, context: ParserContext): Promise<Filter> {
  const [, account, label] = /^<@([UW][A-Z0-9]+)(?:\|([^>]*))?>$/.exec(name) ?? [];
  if (account !== undefined) {
    const user = await context.userOf(account);
    return assignedTo(user, label ?? user);
  }
  if (name.toLowerCase() === 'me') {
    const self = await context.self();
    return assignedTo(self.id, self.name);
  }
  const plain = name.replace(/^@/, '');
  return assignedTo(plain, plain);
}

function assignedTo(user: string, name: string): Filter {
  const title = `assigned to ${shorten(name, MAX_TITLE)}`;
  const selection = { by: 'jql', jql: `assignee = ${asLiteral(user)}`, title } as const;
  return { selection, title: `issues ${title}` };
}

/** The query names its author in place of currentUser(), so that a shared answer stays about the same person. */
async function ofQuery(words: readonly Word[], context: ParserContext): Promise<Filter> {
  const typed = straightLiterals(sourceOf(words));
  const jql = mayNameCurrentUser(typed)
    ? withCurrentUserNamed(typed, asLiteral((await context.self()).id))
    : typed;
  return { selection: { by: 'jql', jql }, title: shorten(jql.replace(/\s+/g, ' '), MAX_TITLE) };
}

/** An operator after the name of a field: the text is a query and not a name. */
const operator = /^(=|!|~|<|>|(not\s+)?in\s*\(|(not\s+)?in\s+\w+\(|is\s+(not\s+)?(empty|null)\b)/i;

/** The filter that was typed; without one the projects that are usual here, and the sentence that says so. */
export async function filterOrDefault(
  words: readonly Word[],
  context: ParserContext,
): Promise<Omit<Filter, 'remark'> & { readonly remark: string | null }> {
  if (words.length > 0) {
    const filter = await readFilter(words, context);
    return { ...filter, remark: filter.remark ?? null };
  }
  const usual = await context.defaultProjects();
  const [project, ...others] = usual?.projects ?? [];
  if (usual === null || project === undefined) {
    throw badRequestAs('missing-value', 'Which project?', { kind: 'project' });
  }
  const title = usual.projects.join(', ');
  if (others.length === 0) return { selection: { by: 'project', project }, title, remark: usual.remark };
  const jql = `project in (${usual.projects.map(asLiteral).join(', ')})`;
  return { selection: { by: 'jql', jql }, title, remark: usual.remark };
}

/** Issues chosen in words, with every remark on them. */
export type JoinedFilter = Awaited<ReturnType<typeof filterOrDefault>>;

/** The issues that are in all of some choices; null where there is none. */
export function joinFilters(filters: readonly JoinedFilter[]): JoinedFilter | null {
  const [only = null, ...others] = filters;
  if (others.length === 0) return only;
  const queries = filters.map(({ selection }) => splitQuery(queryOf(selection)));
  const order = queries.map((one) => one.order).findLast((one) => one !== '') ?? '';
  const jql = `${queries.map((one) => `(${one.filter})`).join(' AND ')} ${order}`.trimEnd();
  const remarks = filters.flatMap(({ remark }) => remark ?? []);
  return {
    selection: { by: 'jql', jql },
    title: filters.map(({ title }) => title).join(', '),
    remark: remarks.length === 0 ? null : remarks.join(' '),
  };
}

/** Fields people group by most; any other that the issues have works as well. */
const commonFields = 'assignee issuetype priority project reporter status components labels'.split(' ');

const MAX_SHOWN_LENGTH = 60;

const endWords = ['last', 'this', 'since', 'between', 'days', 'weeks', 'months', 'quarter', 'year'];
const endings: ReadonlySet<string> = new Set(['in', 'by', 'last', 'past', 'this', 'since', 'between']);
/** Shorter words are near too many. */
const MIN_LENGTH = 3;

/** Why words that are no filter are none: a misspelt end, or else an unknown name. */
export async function leftoverError(
  words: readonly Word[],
  context: ParserContext,
  kind: 'project' | null = null,
): Promise<AppError> {
  const { calendars, reportTypes, isProject, words: known } = context;
  const tail = await lastTail(words, tailKinds, context);
  if (tail !== null && tail.start > 0) {
    const misplaced = shorten(plainText(words.slice(tail.start)), MAX_SHOWN_LENGTH);
    return badRequest(`I can't use "${misplaced}" in this question.`);
  }
  const whole = shorten(plainText(words), MAX_SHOWN_LENGTH);
  // The last end is the one that could not be read; it has something after it.
  for (let at = words.length - 2; at >= 0; at -= 1) {
    const plain = words[at]?.plain ?? '';
    if (!endings.has(plain.toLowerCase())) continue;
    const after = shorten(plainText(words.slice(at + 1)), MAX_SHOWN_LENGTH);
    switch (plain.toLowerCase()) {
      case 'in':
        if (oneOf(units, after) !== undefined) {
          return badRequestAs(
            'invalid-value',
            `Answers are in hours or days, not in ${after}. Try: in hours, in days.`,
            { value: after, meant: ['hours', 'days'] },
          );
        }
        return unknownWord('calendar', after, calendars.map(calendarName));
      case 'by':
        return unknownWord('field or report', after, [...commonFields, ...reportTypes.map(({ id }) => id)]);
      default:
        return endError(`I don't know the time "${plain} ${after}".`, words.slice(at), context);
    }
  }
  const [first] = words;
  if (words.length > 1 && first !== undefined && (await isProject(first.plain))) {
    const left = shorten(plainText(words.slice(1)), MAX_SHOWN_LENGTH);
    return endError(`I don't know what "${left}" means after "${first.plain}".`, words.slice(1), context);
  }
  const projects = (await context.knownBeside('project', whole))?.names ?? [];
  const near = kind === null ? nearestOf(first?.plain ?? '', [...known, ...filterKinds]) : null;
  const meant = near === null ? namesMeant(whole, projects).slice(0, 1) : [near];
  return badRequestAs(
    'invalid-value',
    [
      kind === 'project'
        ? `I couldn't find a project "${whole}". Try: the key or the name of a project you can see.`
        : `I couldn't find a project or an issue "${whole}".`,
      ...didYouMean(meant),
    ],
    { kind: 'words', value: near === null ? whole : (first?.plain ?? ''), meant },
  );
}

/** Refuses an end; where one other word makes it readable, that word was likely meant. */
async function endError(sentence: string, words: readonly Word[], context: ParserContext): Promise<AppError> {
  const allowed = [...endWords, ...statisticWords];
  // A long message may repeat a word that is near none.
  const far = new Set<string>();
  for (const [at, { plain }] of words.entries()) {
    if (plain.length < MIN_LENGTH || far.has(plain)) continue;
    const near = nearestOf(plain, allowed);
    if (near === null) {
      far.add(plain);
      continue;
    }
    const replaced = [...words.slice(0, at), ...wordsOf(near), ...words.slice(at + 1)];
    const { left } = await parseOptions(replaced, tailKinds, context);
    if (left.length > 0) continue;
    return badRequestAs('invalid-value', [sentence, ...didYouMean([near])], {
      kind: 'words',
      value: plain,
      meant: [near],
    });
  }
  return badRequestAs('invalid-value', sentence, { kind: 'words' });
}
