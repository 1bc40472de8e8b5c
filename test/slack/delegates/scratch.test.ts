import { afterAll, beforeAll, test } from '#jest';
import { startDelegatesInSlack } from '../../support/delegates-in-slack.ts';
let place: Awaited<ReturnType<typeof startDelegatesInSlack>>;
beforeAll(async () => { place = await startDelegatesInSlack(); });
afterAll(() => place.stop());
test('x', async () => {
  for (const [line, as] of [['', 'ada'], ['@ada','ada'], ['@bob on 15 Mar 2026','ada'],['@bob on mar 16','ada'],['kira on 21 mar 2026','ada'],['@ada expense on 2026-03-10 12:00','ada'],['nina support on 2026-03-11 12:00','ada'],['@ada on 10 mar','ada'],['for @bob','ada'],['care expense on 10 mar 2026','ada'],['@zoe','ada'],['@ada friday','ada'],['@ada on someday','ada'],['@ada <!here>','ada'],['mien','ada'],['weke next week','bob'],['me','bob'],['','bob'],['@ada','bob'],['zed','bob'],['week','ada'],['week 2026-03-30','ada'],['week','bob'],['help','ada'],['end','ada'],['end @bob','ada'],['end @ada','bob'],['end @carl','bob'],['set @carl mar 19 to mar 23','bob'],['set @carl until friday','bob'],['set @carl for @dora next week','ada'],['set @carl for @dora next week','bob'],['set @carl blah','bob'],['set @bob tomorrow','bob'],['set @zoe tomorrow','bob'],['set @carl mar 19 14:00 to mar 20 10:00','bob'],['link','bob'],['link','zoe']] as const) {
    const m = await place.says(line, as);
    console.log(`### ${as}: /delegates ${line}\n${m.text}\n   ${JSON.stringify(m.blocks).match(/"(value)":"[^"]*"/g)?.join(' ') ?? ''}`);
  }
}, 60000);
