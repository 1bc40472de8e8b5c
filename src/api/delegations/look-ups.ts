import { followChain } from '../../delegation/follow-chain.ts';
import { surveyCoverage } from '../../delegation/survey-coverage.ts';
import { foldedName } from '../../model/folded-name.ts';
import type { DelegationApi, StandInQuestion } from '../delegation.ts';
import { type AskerRights, concerns } from './asker-rights.ts';
import { checkSpan } from './check-span.ts';
import type { DelegationParts } from './delegation-parts.ts';
import { notAllowed } from './not-allowed.ts';
import { permits } from './permits.ts';

/** Who stands in for whom, one step far, all the way, and over a span of time. */
export function lookUps(
  { register }: DelegationParts,
  rights: AskerRights,
): Pick<DelegationApi, 'delegatesOf' | 'delegatorsOf' | 'chainOf' | 'coverage'> {
  async function refuseOthers({ asker, person }: StandInQuestion): Promise<void> {
    if (permits(await rights.viewing(asker), 'all') || (await rights.isSelf(asker, person))) return;
    throw notAllowed('askOthers');
  }

  return {
    async delegatesOf(question) {
      await refuseOthers(question);
      return register.delegatesOf(question.person, question.category, question.asOf);
    },
    async delegatorsOf(question) {
      await refuseOthers(question);
      return register.delegatorsOf(question.person, question.category, question.asOf);
    },
    async chainOf(question) {
      await rights.viewingAll(question.asker);
      // The register decides who and what is known, and how it is called.
      const { person, category, asOf } = await register.delegatesOf(
        question.person,
        question.category,
        question.asOf,
      );
      const named = (await register.categories()).find(
        ({ name }) => foldedName(name) === foldedName(category),
      );
      const start = { person, categoryId: named?.id ?? null, at: asOf };
      return { person, category, asOf, ...followChain(await register.delegations(), start) };
    },
    async coverage(asker, span) {
      const right = await rights.viewing(asker);
      checkSpan(span);
      const all = await register.delegations();
      const seen = permits(right, 'all') ? all : all.filter((one) => concerns(one, asker.user));
      return surveyCoverage(seen, span);
    },
  };
}
