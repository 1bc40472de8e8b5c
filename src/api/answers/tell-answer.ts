import type { Aging } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { AudienceScope } from '../../model/permissions.ts';
import type { Principal } from '../../model/principal.ts';
import type { Question } from '../../model/question.ts';
import type { ReportRequest } from '../../model/request.ts';
import type { Provenance, Table } from '../../model/table.ts';
import type { Answer, Part } from '../answers.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import { tellIssue } from '../tell-issue.ts';
import { tellAging } from './aging/aging-answer.ts';
import { joinContents, speakOf } from './answer-provenance.ts';
import { compareSides } from './compare-sides.ts';
import { isEmpty } from './is-empty.ts';
import { tellMine } from './mine.ts';
import { type RequestParts, reportRequest } from './request-of.ts';
import { weeklyAggregates } from './weekly/weekly-aggregates.ts';

/** What an answer is made from; of a list only `part` is told. */
interface AnswerParts extends RequestParts {
  readonly now: () => Instant;
  readonly part: Part;
}

type ToldWithContents = Pick<Answer, 'told' | 'contents'>;

/**
 * Answers a question as of an instant (null: now). It is told of that one instant however many reports it takes, and
 * asked again as of the same instant, it is answered the same.
 */
export async function tellAnswer(
  question: Question,
  principal: Principal,
  asked: Instant | null,
  parts: AnswerParts,
): Promise<Answer> {
  const asOf = asked ?? parts.now();
  const { told, contents } = await tell(question, principal, { asOf, asked }, parts);
  return { question, asOf, told, contents, isEmpty: isEmpty(told) };
}

async function tell(
  question: Question,
  principal: Principal,
  { asOf, asked }: { readonly asOf: Instant; readonly asked: Instant | null },
  given: AnswerParts,
): Promise<ToldWithContents> {
  const { start, size } = given.part;
  const parts = { ...given, most: start + size };
  const { reporting } = parts;
  switch (question.kind) {
    case 'issue': {
      const story = await tellIssue(reporting, principal, question.key, {
        calendar: question.calendar,
        asOf,
      });
      const provenance = speakOf(story.provenance, asked);
      return { told: { kind: 'issue', story: { ...story, provenance } }, contents: contentsIn(story) };
    }
    case 'report':
    case 'saved': {
      const whole = await reportRequest(question, principal, asOf, parts);
      const { table, request, contents } = await tellReport(whole, parts.part, reporting);
      const provenance = speakOf(table.provenance, asked);
      return { told: { kind: 'report', table: { ...table, provenance }, request }, contents };
    }
    case 'weekly': {
      const weekly = await weeklyAggregates(question, principal, asOf, parts);
      const provenance = speakOf(weekly.provenance, asked);
      return { told: { kind: 'weekly', weekly: { ...weekly, provenance } }, contents: contentsIn(weekly) };
    }
    case 'aging': {
      const { aging, told, usual } = await tellAging({ ...question, assignee: null }, principal, asOf, parts);
      const provenance = speakOf(aging.provenance, asked);
      return {
        told: { kind: 'aging', aging: { ...aging, provenance } },
        contents: joinContents(told, usual),
      };
    }
    case 'mine': {
      const { mine, contents } = await tellMine(question, principal, asOf, parts);
      const spoken = (aging: Aging) => ({ ...aging, provenance: speakOf(aging.provenance, asked) });
      const covered = mine.covered.map((one) => ({ ...one, aging: spoken(one.aging) }));
      return { told: { kind: 'mine', mine: { own: spoken(mine.own), covered } }, contents };
    }
    case 'compare': {
      const comparison = await compareSides(question, principal, asOf, parts);
      const [one, other] = comparison.provenance;
      const provenance = [speakOf(one, asked), speakOf(other, asked)] as const;
      return {
        told: { kind: 'compare', comparison: { ...comparison, provenance } },
        contents: joinContents(one.contents ?? null, other.contents ?? null),
      };
    }
  }
}

function contentsIn({ provenance }: { readonly provenance: Provenance }): AudienceScope | null {
  return provenance.contents ?? null;
}

/** A table, the request it answers, and what issues all that is said tells of; null where nobody tells. */
interface ToldReport {
  readonly table: Table;
  readonly request: ReportRequest;
  readonly contents: AudienceScope | null;
}

/** Runs a report: of a list only a part, for a figure of many issues all of them. */
async function tellReport(
  whole: ReportRequest,
  { start, size }: Part,
  reporting: ReportingApi,
): Promise<ToldReport> {
  if (whole.statistic !== null) {
    const table = await reporting.report(whole);
    return { table, request: whole, contents: table.provenance.contents ?? null };
  }
  const request: ReportRequest = { ...whole, page: { by: 'index', start, size } };
  const table = await reporting.report(request);
  const { page, provenance } = table;
  const isAll = page === null || provenance.issues === page.total;
  // What is said above a part, such as how many there are, is about all of them.
  const contents = isAll ? (provenance.contents ?? null) : await reporting.contents(whole);
  return { table, request, contents };
}
