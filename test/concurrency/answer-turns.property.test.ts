import fc from 'fast-check';
import { expect, test } from '#jest';
import { createAnswerTurns, type Turn } from '../../src/concurrency/answer-turns.ts';
import { principalIn } from '../../src/model/request.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** What happens, in order: someone asks for a turn, the oldest turn ends, the oldest answer is made, or the one who has waited longest leaves. */
const steps = fc.array(
  fc.oneof(fc.constantFrom('ada', 'bob', 'carl'), fc.constantFrom('end', 'made', 'leave')),
  {
    maxLength: 60,
  },
);

test('never more turns than allowed, in all or for one, and whoever stays has one in the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 3 }),
      steps,
      async (inAll, perPrincipal, happening) => {
        const turns = createAnswerTurns({ inAll, perPrincipal, waitMs: 600_000 });
        const running: { readonly who: string; isMade: boolean; readonly turn: Turn }[] = [];
        const made = () => {
          const next = running.find(({ isMade }) => !isMade);
          if (next !== undefined) next.isMade = true;
          next?.turn.made();
        };
        const waiting = new Map<AbortController, Promise<void>>();
        const check = () => {
          expect(running.filter(({ isMade }) => !isMade).length).toBeLessThanOrEqual(inAll);
          for (const who of ['ada', 'bob', 'carl'])
            expect(running.filter((one) => one.who === who).length).toBeLessThanOrEqual(perPrincipal);
        };
        let [begun, left] = [0, 0];
        for (const step of happening) {
          if (step === 'end') running.shift()?.turn.end();
          else if (step === 'made') made();
          else if (step === 'leave') waiting.keys().next().value?.abort('left');
          else {
            const leaving = new AbortController();
            const taken = turns.take(principalIn('default', step), leaving.signal).then(
              (turn) => {
                begun += 1;
                running.push({ who: step, isMade: false, turn });
                check();
              },
              (reason) => {
                expect(reason).toBe('left');
                left += 1;
              },
            );
            waiting.set(
              leaving,
              taken.finally(() => waiting.delete(leaving)),
            );
          }
          await turn();
          check();
        }
        while (running.length > 0) {
          running.shift()?.turn.end();
          await turn();
        }
        expect(waiting.size).toBe(0);
        expect(begun + left).toBe(
          happening.filter((step) => !['end', 'made', 'leave'].includes(step)).length,
        );
        expect(turns.headers(principalIn('default', 'ada')).RateLimit).toBe(
          `"long-answers";r=${perPrincipal}`,
        );
      },
    ),
  );
});
