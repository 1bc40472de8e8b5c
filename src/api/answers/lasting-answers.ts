import { millisecondsInMinute } from 'date-fns/constants';
import { createNamespace } from '../../cache/namespace.ts';
import { sharedTask } from '../../concurrency/cooperative-yield.ts';
import type { Instant } from '../../model/issue.ts';
import type { Question } from '../../model/question.ts';
import type { Asker } from '../../model/request.ts';
import type { Answer } from '../answers.ts';

const MOST_REMEMBERED = 200;

/** What takes a dozen reports, and says as of when. */
const lasting: readonly Question['kind'][] = ['weekly', 'compare'];

/** Answers a question of now, or tells anew what the same asker was told within the minute. */
type LastingAnswers = (asker: Asker, question: Question, answer: () => Promise<Answer>) => Promise<Answer>;

/** Remembers what takes long for a minute, for each asker; what failed is not remembered. */
export function createLastingAnswers(now: () => Instant): LastingAnswers {
  const answers = createNamespace<Answer>({
    ...{ name: 'lasting-answers', ttlMs: millisecondsInMinute, most: MOST_REMEMBERED },
    ...{ now, share: sharedTask },
  });
  return (asker, question, answer) => {
    if (!lasting.includes(question.kind)) return answer();
    const key = JSON.stringify([asker.user, asker.admin, question]);
    return answers.getOrMake(key, answer);
  };
}
