import type { AnswersApi } from '../../api/answers/answers-api.ts';
import { flowsAs, forPosts, kindOf } from '../../api/answers/index.ts';
import type { Answer } from '../../model/answer.ts';
import type { AudienceScope, Principal, ReportRequest } from '../../model/request.ts';
import type { AudienceParts } from '../app/parts.ts';
import { type AudienceLookups, audienceProblem } from './audience.ts';

/** Why contents cannot be shared in a channel; none: they can. */
type ProblemOf = typeof audienceProblem;

/** An answer, and why it cannot be shared in a channel (mrkdwn); none: it can. */
export interface JudgedAnswer {
  readonly answer: Answer;
  readonly reasons: readonly string[];
  /** The only projects whose links count in it; absent: it is whole. */
  readonly linksWithin?: readonly string[];
}

/** The projects of some contents whose issues everyone in a channel can see, unless they are restricted. */
export async function projectsForAll(
  { projects }: AudienceScope,
  channel: string,
  parts: AudienceLookups,
  problemOf: ProblemOf = audienceProblem,
): Promise<readonly string[]> {
  const open: string[] = [];
  for (const key of projects) {
    const reasons = await problemOf({ projects: [key], issues: 1, withLevel: 0 }, channel, parts);
    if (reasons.length === 0) open.push(key);
  }
  return open;
}

/** A request for a file that everyone in a channel can see, without links to issues that they cannot see. */
export async function requestForAll(
  request: ReportRequest,
  channel: string,
  { reporting, ...parts }: AudienceParts,
): Promise<ReportRequest> {
  const scope = await reporting.audienceScope(request);
  const lookups = { ...parts, reporting };
  if (scope === null || (await audienceProblem(scope, channel, lookups)).length === 0) return request;
  return { ...request, linksWithin: await projectsForAll(scope, channel, lookups) };
}

/**
 * An answer as it can be shared in a channel: where not everyone there can see all that it is about, it is given again without
 * the links to issues that they cannot see, as of the same instant.
 */
export async function answerForAll(
  whole: Answer,
  principal: Principal,
  channel: string,
  { answers, ...parts }: AudienceLookups & { readonly answers: Pick<AnswersApi, 'answer' | 'audienceScope'> },
  problemOf: ProblemOf = audienceProblem,
): Promise<JudgedAnswer> {
  const scope = await answers.audienceScope(principal, whole);
  const found = {
    answer: await withoutPrivate(whole, channel, parts),
    reasons: await problemOf(scope, channel, parts),
  };
  if (found.reasons.length === 0 || scope === null) return found;
  const linksWithin = await projectsForAll(scope, channel, parts, problemOf);
  // Links are not the reason if each issue is for all.
  if (linksWithin.length === scope.projects.length && scope.withLevel === 0) return found;
  const again = await answers.answer(principal, whole.question, whole.asOf, undefined, linksWithin);
  const answer = await withoutPrivate(flowsAs(whole, again), channel, parts);
  const reasons = await problemOf(await answers.audienceScope(principal, answer), channel, parts);
  return { answer, reasons, linksWithin };
}

/** An answer without what not everyone in a channel can see who sees its issues. */
async function withoutPrivate(
  answer: Answer,
  channel: string,
  { channelFacts }: AudienceLookups,
): Promise<Answer> {
  // Slack is asked only where that matters.
  if (kindOf(answer.question).forPosts === undefined) return answer;
  const { kind } = await channelFacts.outsidersIn(channel);
  return forPosts(answer, { toOutsiders: kind !== 'none' });
}
