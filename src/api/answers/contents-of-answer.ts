import type { AudienceScope } from '../../model/permissions.ts';
import type { Principal } from '../../model/principal.ts';
import { ask, type ReportRequest, type Selection } from '../../model/request.ts';
import type { Provenance } from '../../model/table.ts';
import type { Answer, Told } from '../answers.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import { joinContents } from './answer-provenance.ts';

/**
 * What issues are in an answer. A service elsewhere does not tell it beside its figures and is asked for it: of all issues
 * the question is about, which may be more than the answer tells of, and never fewer. Null where nobody tells.
 */
export async function contentsOfAnswer(
  principal: Principal,
  answer: Answer,
  reporting: Pick<ReportingApi, 'contents'>,
): Promise<AudienceScope | null> {
  if (answer.contents !== null || !isHosted(answer.told)) return answer.contents;
  const found: (AudienceScope | null)[] = [];
  for (const request of requestsBehind(principal, answer)) found.push(await reporting.contents(request));
  return found.length === 0 ? null : found.reduce(joinContents);
}

function requestsBehind(principal: Principal, { question, asOf, told }: Answer): readonly ReportRequest[] {
  const about = (selection: Selection) => ask({ principal, reportType: 'statusCount', selection, asOf });
  switch (told.kind) {
    case 'issue':
      return [about({ by: 'keys', keys: [told.story.key] })];
    case 'report':
      return [{ ...told.request, statistic: null, page: null }];
    case 'weekly':
      return question.kind === 'weekly' ? [about(question.selection)] : [];
    case 'aging': {
      if (question.kind !== 'aging') return [];
      // What is usual is learnt from all issues of a project.
      const projects = [...new Set(told.aging.issues.map(({ project }) => project))];
      return [about(question.selection), ...projects.map((project) => about({ by: 'project', project }))];
    }
    case 'compare':
      return question.kind === 'compare' ? question.sides.map(({ selection }) => about(selection)) : [];
    case 'mine':
      return [];
  }
}

function isHosted(told: Told): boolean {
  return provenancesOf(told).every(({ tracker }) => tracker === 'hosted');
}

function provenancesOf(told: Told): readonly Provenance[] {
  switch (told.kind) {
    case 'issue':
      return [told.story.provenance];
    case 'report':
      return [told.table.provenance];
    case 'weekly':
      return [told.weekly.provenance];
    case 'aging':
      return [told.aging.provenance];
    case 'compare':
      return told.comparison.provenance;
    case 'mine':
      return [told.mine.own.provenance];
  }
}
