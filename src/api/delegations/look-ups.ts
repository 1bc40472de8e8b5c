import { createYieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { followChain } from '../../delegation/chain.ts';
import { surveyCoverage } from '../../delegation/coverage.ts';
import { foldedCategoryName } from '../../issues/ids-and-names.ts';
import type { DelegationApi, StandInQuestion } from '../delegation.ts';
import { checkSpan } from './check-span.ts';
import type { DelegationParts } from './delegation-parts.ts';
import { notAllowed } from './not-allowed.ts';
import { ownCoverage } from './own-coverage.ts';
import { permits } from './permits.ts';
import type { PrincipalRights } from './principal-rights.ts';

/** Who stands in for whom, one step far, all the way, and over a span of time. */
export function lookUps(
  { register, users }: DelegationParts,
  rights: PrincipalRights,
): Pick<DelegationApi, 'delegatesOf' | 'delegatorsOf' | 'chainOf' | 'coverage'> {
  async function refuseOthers({ principal, person }: StandInQuestion): Promise<void> {
    if (permits(await rights.viewing(principal), 'all') || (await rights.isSelf(principal, person))) return;
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
      await rights.viewingAll(question.principal);
      // The register decides who and what is known, and how it is called.
      const { person, category, asOf } = await register.delegatesOf(
        question.person,
        question.category,
        question.asOf,
      );
      const named = (await register.categories()).find(
        ({ name }) => foldedCategoryName(name) === foldedCategoryName(category),
      );
      const start = { person, categoryId: named?.id ?? null, at: asOf };
      return { person, category, asOf, ...followChain(await register.delegations(), start) };
    },
    async coverage(principal, span) {
      const seesAll = permits(await rights.viewing(principal), 'all');
      checkSpan(span);
      // Whom a hosted register knows need not be known to our tracker.
      const known = register.own === null ? null : await users();
      const isKnown = (person: string) => known?.has(person) ?? true;
      const survey = { isKnown, withRemaining: seesAll, pace: createYieldIfDue() };
      const coverage = await surveyCoverage(await register.delegations(), span, survey);
      return seesAll ? coverage : ownCoverage(coverage, principal.account);
    },
  };
}
