import { seedDemo } from '../demo/index.ts';
import { defineCommand } from './command.ts';
import { describeApi } from './describe-api.ts';
import { migrateCommand } from './migrate-command.ts';
import { serve } from './serve.ts';

const serveCommand = defineCommand({
  name: 'serve',
  summary: 'run the service until it is stopped (npm start)',
  example: 'serve',
  details: `Settings come from the environment: PORT, HOST, DATABASE_URL, DUKKAN_DATA_DIR, LOG_LEVEL, LOG_FORMAT and those in
README.md.`,
  answers: false,
  run: async (context) => ({ exitCode: await serve(context.settings(), context.log()) }),
});

const seed = defineCommand({
  name: 'seed',
  summary: 'load the demo, once',
  options: { force: { meaning: 'also beside organizations that are there already' } },
  example: 'seed',
  async run(context, { options }) {
    const { loaded, logins, text } = await seedDemo(await context.platform(), options);
    return { value: { loaded, logins }, text };
  },
});

const openapi = defineCommand({
  name: 'openapi',
  summary: 'print the API description, or write it to openapi.json',
  options: { write: { meaning: "write it to the project's openapi.json" } },
  example: 'openapi > dukkan.json',
  details: 'Needs no database. The description is JSON with or without --json.',
  async run(context, { options: { write } }) {
    const { description, file } = await describeApi(context.settings(), context.log(), { write });
    if (file !== undefined) return { value: { written: file }, text: `Written to ${file}` };
    return { value: description, text: JSON.stringify(description, null, 2) };
  },
});

export const SERVICE_COMMANDS = [serveCommand, migrateCommand, seed, openapi];
