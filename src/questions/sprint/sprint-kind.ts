import { codeText } from '../../block-kit/mrkdwn.ts';
import { foldedName } from '../../issues/ids-and-names.ts';
import { AppError } from '../../model/error.ts';
import { statusTimesOf } from '../figures/list-request.ts';
import { isDecided, reaches } from '../figures/read-table.ts';
import type { QuestionKind } from '../kind.ts';
import type { ParserContext } from '../parse/parser-context.ts';
import { filterOrDefault, readFilter } from '../parse/read-filter.ts';
import { refuseLeftover } from '../parse/refuse-leftover.ts';
import { tailKinds, takeTails, unitOf } from '../parse/take-tails.ts';
import { oneOf, plainText, type Word, wordsOf } from '../parse/typed-words.ts';
import { countOf } from '../view/figure-words.ts';
import { issuesText } from '../view/subject-words.ts';
import { explainSprint, sprintFigures } from './explain-sprint.ts';
import { endOf, type SprintQuestion, selectionOf } from './find-sprint.ts';
import { askedSprint, type SprintReport, sprintReport } from './sprint-report.ts';
import { sprintView } from './sprint-view.ts';

/** `/tis sprint [NAME | PROJECT | last] [in CALENDAR]`. */
export const sprintKind: QuestionKind<SprintQuestion, SprintReport> = {
  kind: 'sprint',
  builderTitle: 'Sprint: the one named, or the last with these issues',
  commands: [
    {
      word: 'sprint',
      usage: '/tis sprint [NAME | PROJECT | last] [in CALENDAR]',
      summary:
        'a sprint: throughput, carried-over and added work, cycle time and time in status vs. previous sprints',
      examples: [
        '/tis sprint',
        '/tis sprint WEB',
        '/tis sprint last',
        '/tis sprint "WEB Sprint 12"',
        '/tis sprint "WEB Sprint 12" median',
      ],
      details:
        "Part of a NAME is enough. With a PROJECT: its latest sprint that has begun. With neither: the latest sprint of this channel's projects, or of yours. `last` is the last one that was closed. Issues that joined after the start are added work. With a RANGE, STATISTIC, FIELD or REPORT after NAME, or with a query such as `sprint in openSprints()`, it is a report on the issues: `/tis help project`.",
      tries: ({ project }) => ['/tis sprint', `/tis weekly ${project}`],
    },
  ],
  async read(words, context) {
    const { rest, tails } = await takeTails(words, tailKinds, context);
    const { calendar, unit: _unit, ...others } = tails;
    if (Object.keys(others).length > 0) return null;
    const { timeZone } = context.hours;
    const measured = { calendar: calendar ?? context.hours.calendar, timeZone, ...unitOf(tails) };
    const question = (named: Pick<SprintQuestion, 'sprint' | 'selection'>): SprintQuestion => ({
      kind: 'sprint',
      ...named,
      ...measured,
    });
    const last = await takeLast(rest, context);
    if (last !== null) {
      const usual = last.length > 0 || (await context.defaultProjects()) !== null;
      const { selection, remark } = usual
        ? await filterOrDefault(last, context)
        : { selection: null, remark: null };
      return { question: { ...question({ sprint: null, selection }), closed: true }, remark };
    }
    if (rest.length === 0) {
      // Without projects of their own it is the last sprint of all.
      const usual = await context.defaultProjects();
      if (usual === null) return { question: question({ sprint: null, selection: null }), remark: null };
      const { selection, remark } = await filterOrDefault([], context);
      return { question: question({ sprint: null, selection }), remark };
    }
    const name = plainText(rest);
    if (await isOnlyProject(name, context)) {
      const selection = { by: 'project', project: name } as const;
      return { question: question({ sprint: null, selection }), remark: null };
    }
    const { sprint, remark } = await readFilter([...wordsOf('sprint'), ...rest], context).catch(
      async (error: unknown) => {
        const at = rest.findLastIndex(({ plain }) => oneOf(['in'], plain) !== undefined);
        if (!(error instanceof AppError) || error.reason !== 'unknown-name' || at < 0) throw error;
        throw await refuseLeftover(rest.slice(at), context);
      },
    );
    if (sprint === undefined) return null;
    const asked = question({ sprint, selection: null });
    await context.check(asked);
    return { question: asked, remark: remark ?? (await ofSeveral(sprint, context)) };
  },
  builder: ({ sprint, selection, calendar }) => ({
    report: 'sprint',
    filter: sprint === null ? selection : { by: 'sprint', id: sprint },
    calendar,
  }),
  ofBuilder: ({ filter: { sprint, selection }, calendar, timeZone }): SprintQuestion => ({
    kind: 'sprint',
    ...(sprint === undefined ? { sprint: null, selection } : { sprint, selection: null }),
    ...{ calendar, timeZone },
  }),
  selections: (question) => selectionOf(question) ?? [],
  ranges: () => [],
  whyFixed: ({ sprint }) =>
    sprint === null
      ? null
      : 'A digest about a named sprint never changes. Try: sprint alone, which is always the latest.',
  async answer(question, { principal, asOf, parts }) {
    const value = await sprintReport(question, principal, asOf, parts);
    return { value, contents: value.provenance.contents ?? null };
  },
  isEmpty: ({ own, provenance }) =>
    provenance.issues === 0 && isDecided(provenance) && reaches(provenance, endOf(own.span)),
  withProvenance: (value, change) => ({ ...value, provenance: change(value.provenance) }),
  title: ({ sprint, selection, closed }) =>
    sprint === null
      ? `the last ${closed ? 'closed ' : ''}sprint${selection === null ? '' : ` of ${issuesText(selection)}`}`
      : `the sprint ${sprint}`,
  view: sprintView,
  figures: sprintFigures,
  explain: explainSprint,
  async file(question, context) {
    const { principal, asOf, parts } = context;
    const { span, lives } = await askedSprint(question, principal, asOf, parts.reporting);
    const keys = lives.map(({ facts }) => facts.key);
    const title = `${countOf(keys.length, 'issue')} within ${span.name}`;
    const list = statusTimesOf(keys, { calendar: question.calendar, title }, context);
    return { ...list, trim: { from: span.start, to: span.end } };
  },
};

/** The project beside `last`, as in `last WEB`; null for any other word. */
async function takeLast(
  words: readonly Word[],
  { knownBeside, isProject }: Pick<ParserContext, 'isProject' | 'knownBeside'>,
): Promise<readonly Word[] | null> {
  const at = words.findIndex(({ plain }) => oneOf(['last', 'previous'], plain) !== undefined);
  const rest = words.toSpliced(at, 1);
  if (at < 0 || rest.length > 1 || (await knownBeside('sprint', plainText(words))) === null) return null;
  return rest.length === 0 || (await isProject(plainText(rest))) ? rest : null;
}

/** A sprint of that name comes first. */
async function isOnlyProject(
  name: string,
  { isProject, knownBeside }: Pick<ParserContext, 'isProject' | 'knownBeside'>,
): Promise<boolean> {
  return (await isProject(name)) && (await knownBeside('sprint', name)) !== null;
}

/** Which one it is of several sprints of one name; null where there are no others. */
async function ofSeveral(
  name: string,
  { sprintNames }: Pick<ParserContext, 'sprintNames'>,
): Promise<string | null> {
  const count = (await sprintNames()).filter((one) => foldedName(one) === foldedName(name)).length;
  return count < 2 ? null : `${count} sprints are called ${codeText(name)}; this is the one that began last.`;
}
