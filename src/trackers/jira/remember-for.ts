import type { Instant } from '../../model/issue.ts';

/** Asks at most once in so many ms, however many want to know; a failure is not remembered. */
export function rememberFor<Answer>(
  ms: number,
  now: () => Instant,
  ask: () => Promise<Answer>,
): () => Promise<Answer> {
  let known: { readonly answer: Promise<Answer>; readonly until: Instant } | null = null;
  return () => {
    if (known !== null && now() < known.until) return known.answer;
    const answer = ask();
    const mine = { answer, until: now() + ms };
    known = mine;
    answer.catch(() => {
      if (known === mine) known = null;
    });
    return answer;
  };
}
