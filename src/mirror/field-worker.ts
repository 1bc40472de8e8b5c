import { parentPort, workerData } from 'node:worker_threads';
import { collectGarbage } from '../concurrency/collect-garbage.ts';
import { type FieldTask, readFieldParts } from './field-thread.ts';

const task: FieldTask = workerData;
parentPort?.postMessage(await readFieldParts(task));
// The pages of this thread's heap would stay with the process after the thread has ended.
collectGarbage({ isLast: true });
