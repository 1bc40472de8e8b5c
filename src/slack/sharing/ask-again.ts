import type { Answer, Part } from '../../model/answer.ts';
import { AppError } from '../../model/error.ts';
import type { Principal } from '../../model/principal.ts';
import type { Run } from '../../model/question.ts';
import { dependsOnPrincipal } from '../../questions/index.ts';
import { firstPart } from '../answers/tell-answer.ts';
import type { QuestionParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';
import { typedSentences } from '../questions/typed-sentences.ts';

/** An answer that was kept, given anew to somebody. */
interface Again {
  readonly run: Run;
  readonly principal: Principal;
  readonly answer: Answer;
}

/**
 * Asks again what was asked once: as of the same instant, and with the rights of the account that asks now. What they may
 * not see is `not-found`, as what is not there any more; so is what would tell them of other issues, as its filter asks who
 * asks.
 */
export async function askAgain(
  id: string,
  account: string,
  { answers, ...parts }: QuestionParts,
  part: Part = firstPart,
): Promise<Again> {
  const run = await answers.run(id);
  const principal = await resolvePrincipal(account, parts);
  const answer = await answers.answer(principal, run.question, run.asOf, part).catch((error: unknown) => {
    if (!(error instanceof AppError) || !['bad-request', 'not-found'].includes(error.code)) throw error;
    const why = typedSentences(error);
    const details = error.code === 'not-found' && error.details.length > 0 ? [error.message, ...why] : why;
    throw new AppError(
      'unknown-answer',
      'You may not see what this is about, or it is not there any more.',
      // The reasons name what was asked for, which others may not know of.
      run.account === account ? details : [],
      { cause: error },
    );
  });
  if (run.account !== account && dependsOnPrincipal(answer)) throw aboutSomebodyElse();
  return { run, principal, answer };
}

/** The saved filter may be changed at any time, so nobody can say in it who asked. */
function aboutSomebodyElse(): AppError {
  return new AppError('unknown-answer', 'This answer depends on who asks, and somebody else asked.', [
    'Its filter holds currentUser(), so for you it would tell of other issues. Ask the question yourself.',
  ]);
}
