import { ask } from '../../src/model/request.ts';
import { principalOf } from '../../test/support/principal-of.ts';
import { ownJob, tellFound } from '../measure.ts';
import { answerAsked } from '../product/answer-asked.ts';
import type { AskJob } from '../product/asked.ts';
import { openProduct } from '../product/open-product.ts';
import { people, worldNow } from '../world/invent-issue.ts';
import { ratioOfWork, warmReference } from './sample.ts';

/** The ratio of each question over the issues of a folder, asked through the ports. */
const { dataDir, questions, samples } = ownJob() as AskJob & { readonly samples: number };
const principal = principalOf(people[0]?.id ?? '', 'admin');
let now = worldNow;
const product = await openProduct(dataDir, () => now);
await product.reporting.count(
  ask({ principal, reportType: 'statusDuration', selection: { by: 'jql', jql: 'created >= -1d' } }),
);
warmReference();
for (const asked of questions) {
  now = worldNow;
  const ratio = await ratioOfWork(async () => {
    await answerAsked(asked, principal, product);
    // Answers that were remembered are too old now.
    now += 11 * 60_000;
  }, samples);
  tellFound({ name: asked.name, ratio });
}
await product.close();
