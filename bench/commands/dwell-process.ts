import { pino } from 'pino';
import { buildDwell } from '../../src/build-dwell.ts';
import { readConfig } from '../../src/config.ts';
import { watchLoop } from './loop-watch.ts';

/** A Dwell of its own process: tells its address, then what it did when it is told to stop. */
const [slackApiUrl = ''] = process.argv.slice(2);
const config = readConfig(process.env);
const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
const dwell = await buildDwell(config, { now: Date.now, log, slackApiUrl });
const { url } = await dwell.start();
// As `npm start` does.
await dwell.warmUp();
const found = watchLoop();
process.once('message', async () => {
  process.send?.(found());
  await dwell.stop();
  process.disconnect();
});
process.send?.(url);
