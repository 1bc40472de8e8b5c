import { parentPort, workerData } from 'node:worker_threads';
import { collectGarbage } from '../concurrency/collect-garbage.ts';
import { type FieldTask, readFields } from './read-fields.ts';

const task: FieldTask = workerData;
parentPort?.postMessage(await readFields(task));
// What its heap has grown to would stay with the process when the thread is gone.
collectGarbage({ isLast: true });
