import { parentPort, workerData } from 'node:worker_threads';
import { type FieldTask, readFields } from './read-fields.ts';

const task: FieldTask = workerData;
parentPort?.postMessage(await readFields(task));
