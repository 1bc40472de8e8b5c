import type { AnswerTurns } from '../../concurrency/answer-turns.ts';
import type { Principal } from '../../model/request.ts';
import type { AnswersApi } from './answers-api.ts';
import { issueKind } from './issue/issue-kind.ts';
import { issuesKind } from './issue/issues-kind.ts';
import { mineKind } from './mine/mine-kind.ts';

/** Kinds of questions about a few issues, which are answered at once. */
const smallKinds: ReadonlySet<string> = new Set([issueKind, issuesKind, mineKind].map(({ kind }) => kind));

/** The same answers, each over many issues in a turn of its own. */
export function answersInTurns(answers: AnswersApi, turns: AnswerTurns): AnswersApi {
  async function inTurn<Result>(principal: Principal, kind: string, work: () => Promise<Result>) {
    if (smallKinds.has(kind)) return work();
    const { end } = await turns.take(principal);
    try {
      return await work();
    } finally {
      end();
    }
  }
  return {
    ...answers,
    answer: (principal, question, ...rest) =>
      inTurn(principal, question.kind, () => answers.answer(principal, question, ...rest)),
    ask: (kind, principal, question, ...rest) =>
      inTurn(principal, kind.kind, () => answers.ask(kind, principal, question, ...rest)),
    explain: (principal, question, ...rest) =>
      inTurn(principal, question.kind, () => answers.explain(principal, question, ...rest)),
  };
}
