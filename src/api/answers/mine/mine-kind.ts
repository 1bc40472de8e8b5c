import type { LeftOut } from '../../../model/answer.ts';
import { GENERAL } from '../../../model/delegation.ts';
import { AppError, nullOn } from '../../../model/error.ts';
import type { MeasuredQuestion } from '../../../model/question.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { ask } from '../../../model/request.ts';
import { cellOf } from '../../../model/table.ts';
import { cutReason } from '../../outcomes/finish-of.ts';
import { flowFields, flowOfIssue } from '../../outcomes/issue-flow.ts';
import { scopeOfKeys } from '../../outcomes/open-issues.ts';
import type { OpenIssues } from '../../outcomes/outcomes-api.ts';
import { addScopes, joinAnswers, mergeScopes, statusNow } from '../../outcomes/read-table.ts';
import { type Aging, type Mine, mineSchema } from '../aging/aging-answer.ts';
import { agingFigures, explainAging } from '../aging/aging-kind.ts';
import {
  type AgingInput,
  agesAlone,
  compareWithBaseline,
  hasNoneOpen,
  openKeys,
  readOpen,
  withReasons,
} from '../figures/aging-figures.ts';
import { type AnswerContext, type Figures, openTimesOf, type QuestionKind } from '../question-kind.ts';

/** `/tis mine [FILTER] [in CALENDAR]`. */
export const mineKind: QuestionKind<MeasuredQuestion, Mine> = {
  kind: 'mine',
  isPersonal: true,
  selections: () => [],
  async answer(question, context) {
    const { value, contents } = await (await countMine(question, context)).withBaseline();
    const reasoned = async (aging: Aging) => ({ ...aging, issues: await withReasons(aging.issues, context) });
    const covered = value.covered.map(async (one) => ({ ...one, aging: await reasoned(one.aging) }));
    return { value: { own: await reasoned(value.own), covered: await Promise.all(covered) }, contents };
  },
  isEmpty: ({ own, covered }) => hasNoneOpen(own) && covered.every(({ aging }) => hasNoneOpen(aging)),
  withProvenance: ({ own, covered }, change) => ({
    own: { ...own, provenance: change(own.provenance) },
    covered: covered.map((one) => ({
      ...one,
      aging: { ...one.aging, provenance: change(one.aging.provenance) },
    })),
  }),
  listLength: ({ own, covered }) => covered.reduce((sum, { aging }) => sum + aging.total, own.total),
  document: {
    schema: mineSchema,
    facts: ({ own, covered }) => ({
      provenance: covered.map(({ aging }) => aging.provenance).reduce(joinAnswers, own.provenance),
      until: null,
    }),
  },
  figures: (mine) => agesOf(mine).flatMap(agingFigures),
  explain: (figure, question, context) =>
    // Issues that are no work of their flow are listed here, and in no other answer about ages.
    explainAging(figure, question, context, async (key) => {
      const { value } = await (await countMine(question, context)).withBaseline();
      return agesOf(value)
        .flatMap(({ issues, provenance }) => issues.map((issue) => ({ issue, provenance })))
        .find(({ issue }) => issue.key === key);
    }),
  async file(question, context) {
    const own = await compareWithBaseline(
      await ownOf(question, context),
      { ...question, ...backlogLast },
      context,
    );
    return openTimesOf(await openKeys(own), question, context);
  },
};

/** The person's own ages, and those of the people they cover for. */
function agesOf({ own, covered }: Mine): readonly Aging[] {
  return [own, ...covered.map(({ aging }) => aging)];
}

type Covered = Mine['covered'][number];

/**
 * The open issues assigned to the principal, and to the people they cover for, all of them seen with the principal's own
 * rights; those of a person who is covered in several categories once. By age alone (`ages`), or compared with the baselines,
 * which take longer than everything else. `not-found` for a principal unknown to the tracker.
 */
export async function countMine(question: MeasuredQuestion, context: AnswerContext) {
  const { parts } = context;
  const own = await ownOf(question, context);
  const input = { ...question, ...backlogLast };
  const others: { readonly of: Omit<Covered, 'aging'>; readonly open: OpenIssues }[] = [];
  for (const [id, categories] of await coveredBy(context)) {
    const name = await parts.userName(id);
    // A person known to a hosted register need not be known to the tracker, and then nothing is assigned to them.
    if (name === null) continue;
    // A person without any issue the principal can see is refused in a query, and has none here.
    const open = await readOpen(assignedTo(id, question), context).catch(nullOn('bad-request'));
    if (open !== null)
      others.push({ of: { person: { id, name }, category: categories.join(', ') }, open: allDecided(open) });
  }
  return {
    ages: async (): Promise<Mine> => ({
      own: await agesAlone(own, parts),
      covered: await Promise.all(
        others.map(async ({ of, open }) => ({ ...of, aging: await agesAlone(open, parts) })),
      ),
    }),
    async withBaseline(): Promise<Figures<Mine>> {
      const ours = await compareWithBaseline(own, input, context);
      const all = [ours];
      const covered: Covered[] = [];
      for (const { of, open } of others) {
        const one = await compareWithBaseline(open, input, context);
        covered.push({ ...of, aging: one.aging });
        all.push(one);
      }
      // No issue has two assignees, but the baselines of both may come from the same issues.
      const issues = all.map((one) => one.issuesScope).reduce(addScopes);
      const baselines = all.map((one) => one.baselineScope).reduce(mergeScopes);
      return { value: { own: ours.aging, covered }, contents: mergeScopes(issues, baselines) };
    },
  };
}

/** The principal's own open issues, and those that may be the principal's for all that is known. */
async function ownOf(question: MeasuredQuestion, context: AnswerContext): Promise<OpenIssues> {
  const { principal, asOf, parts } = context;
  if ((await parts.userName(principal.account)) === null) throw notLinked(await parts.knowsUsers());
  const own = await readOpen(assignedTo(principal.account, question), context);
  const { dataAsOf, undecided, cutHistories } = own.provenance;
  // The tracker shows the assignees of then.
  const isShown = dataAsOf !== null && dataAsOf <= asOf;
  const maybe = isShown || undecided + cutHistories === 0 ? [] : await unknownAssignees(context);
  const keys = maybe.map(({ key }) => key);
  const contents = addScopes(
    own.contents,
    await scopeOfKeys(keys, true, { principal, asOf }, parts.reporting),
  );
  return allDecided({ ...own, contents, unclear: [...own.unclear, ...maybe] });
}

/** The selection is of every assignee an issue ever had; the current one is known, or the issue is named. */
function allDecided(open: OpenIssues): OpenIssues {
  return { ...open, provenance: { ...open.provenance, undecided: 0 } };
}

/** The order of a person's issues: those that are not started come after all others. */
const backlogLast = { backlog: 'last' } as const;

/** By id alone: in a query, a person's name may be another's id. */
function assignedTo(user: string, { calendar, timeZone }: MeasuredQuestion): AgingInput {
  return { selection: { by: 'user', user }, calendar, timeZone, assignees: [user], ...backlogLast };
}

/** The people someone covers for, and in which categories: in all of them, or in those named. */
async function coveredBy({
  principal,
  asOf,
  parts: { delegations },
}: AnswerContext): Promise<ReadonlyMap<string, readonly string[]>> {
  const covered = new Map<string, string[]>();
  // People who cannot see delegations cover for no one they know of.
  const hidden = nullOn('not-allowed');
  const categories = await delegations.categories(principal).catch(hidden);
  if (categories === null) return covered;
  for (const category of [GENERAL, ...categories.map(({ name }) => name)]) {
    const found = await delegations
      .delegatorsOf({ principal, person: principal.account, category, asOf })
      .catch(hidden);
    for (const person of found?.others ?? []) {
      const names = covered.get(person) ?? [];
      // However the register writes it, the category that covers all the others has one name.
      const name = category === GENERAL ? category : (found?.category ?? category);
      if (!names.includes(GENERAL)) covered.set(person, [...names, name]);
    }
  }
  return covered;
}

function notLinked(knowsUsers: boolean): AppError {
  if (!knowsUsers) {
    return new AppError('not-in-tracker', 'There are no Jira users here yet.', [
      'An admin can connect Jira (the `JIRA_*` settings) or import users.',
    ]);
  }
  const sentence = 'Your account is not a Jira user, so no issue is assigned to you.';
  return new AppError('not-in-tracker', sentence, [], { data: { kind: 'account' } });
}

/**
 * The issues, but for done ones, whose assignee at an instant is unknown: the instant is in the unknown time of a cut
 * history. The tracker shows the assignee of now, so there are none where nothing was changed since.
 */
async function unknownAssignees({
  principal,
  asOf,
  parts: { reporting },
}: AnswerContext): Promise<readonly LeftOut[]> {
  const flows = await reporting.flows(principal);
  const issuesOf = (jql: string) =>
    reporting.report(
      ask({
        principal,
        reportType: reportIds.statusCount,
        selection: { by: 'jql', jql },
        asOf,
        fields: ['status', 'assignee', ...flowFields(flows)],
      }),
    );
  const unassigned = await issuesOf('assignee is EMPTY');
  if (unassigned.provenance.undecided === 0) return [];
  const known = new Set(unassigned.issues.map(({ key }) => key));
  const statuses = new Map((await reporting.statuses(principal)).map((one) => [one.id, one]));
  // No query chooses what it cannot decide.
  const { issues } = await issuesOf('');
  return issues
    .filter(({ key, cells }) => cellOf(cells, 'assignee') === undefined && !known.has(key))
    .filter((facts) => statusNow(facts, statuses, flowOfIssue(facts, flows).flow.kindOf)?.kind !== 'done')
    .map((facts) => ({
      key: facts.key,
      reason: `its assignee at that time is unknown: ${cutReason(facts)}`,
    }));
}
