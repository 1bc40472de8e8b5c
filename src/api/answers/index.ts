import type { Answer } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { Question } from '../../model/question.ts';
import { reportIds } from '../../model/report-ids.ts';
import { ask, type Principal, type ReportRequest } from '../../model/request.ts';
import type { Provenance } from '../../model/table.ts';
import { agingKind } from './aging/aging-kind.ts';
import type { AskedOnce } from './answers-api.ts';
import { compareKind } from './compare/compare-kind.ts';
import { flowKind } from './flow/flow-kind.ts';
import { forecastKind } from './forecast/forecast-kind.ts';
import { issueKind, issuesKind } from './issue/issue-kind.ts';
import { mineKind } from './mine/mine-kind.ts';
import type { QuestionKind } from './question-kind.ts';
import { reportKind, savedKind } from './report/report-kind.ts';
import { sprintKind } from './sprint/sprint-kind.ts';
import { standupKind } from './standup/standup-kind.ts';
import { weeklyKind } from './weekly/weekly-kind.ts';

/** Every kind of question; a new one is a folder and a line here. */
export const questionKinds: readonly QuestionKind[] = [
  issueKind,
  issuesKind,
  reportKind,
  weeklyKind,
  sprintKind,
  agingKind,
  standupKind,
  flowKind,
  mineKind,
  compareKind,
  forecastKind,
  savedKind,
];

const byName = new Map(questionKinds.map((one) => [one.kind, one]));

/** The kind of a question. One that no kind answers is a bug. */
export function kindOf({ kind }: Pick<Question, 'kind'>): QuestionKind {
  const found = byName.get(kind);
  if (found === undefined) throw new Error(`There is no kind of question '${kind}'.`);
  return found;
}

/** The provenances in an answer, one for each question it joins. */
export function provenancesOf({ question, value }: Answer): readonly Provenance[] {
  const found: Provenance[] = [];
  kindOf(question).withProvenance(value, (one) => {
    found.push(one);
    return one;
  });
  return found;
}

/** An answer as it can be posted in a channel whose readers see all of its issues. */
export function forPosts(answer: Answer, readers: { readonly toOutsiders: boolean }): Answer {
  const { forPosts: changed, isEmpty } = kindOf(answer.question);
  if (changed === undefined) return answer;
  const value = changed(answer.value, readers);
  return { ...answer, value, isEmpty: isEmpty(value) };
}

/** An answer that names only flows that changed after an instant: of the others its readers know. */
export function flowsSince(answer: Answer, since: Instant): Answer {
  const value = kindOf(answer.question).withProvenance(answer.value, ({ flows, ...provenance }) => {
    const changed = (flows ?? []).filter(({ changedAt }) => changedAt > since);
    return changed.length === 0 ? provenance : { ...provenance, flows: changed };
  });
  return { ...answer, value };
}

/** An answer that names the flows that another one to its question names. */
export function flowsAs(other: Answer, answer: Answer): Answer {
  const [{ flows } = {}] = provenancesOf(other);
  const value = kindOf(answer.question).withProvenance(answer.value, ({ flows: _, ...provenance }) =>
    flows === undefined ? provenance : { ...provenance, flows },
  );
  return { ...answer, value };
}

/** The same question of another principal would be about other issues: its filter calls `currentUser()`. */
export function dependsOnPrincipal(answer: Answer): boolean {
  return provenancesOf(answer).some((one) => one.dependsOnPrincipal === true);
}

/** Requests that are valid exactly where the typed question is; its dates are checked later. */
export function checksOf(question: Question, principal: Principal): readonly ReportRequest[] {
  const { checks, selections } = kindOf(question);
  const { timeZone, calendar = 'normalHours' } = question;
  return (
    checks?.(question, principal) ??
    selections(question).map((selection) =>
      ask({ principal, reportType: reportIds.statusDuration, selection, calendar, timeZone }),
    )
  );
}

/** The question of an answer as others can ask it again. */
export function askedOnce(answer: Answer): AskedOnce {
  return kindOf(answer.question).asAnswered?.(answer) ?? answer;
}
