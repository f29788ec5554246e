import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parseYaml } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { readSettings } from '../../src/settings.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');

type Container = {
  image: string;
  args: string[];
  env?: { name: string }[];
  securityContext: { allowPrivilegeEscalation: boolean; readOnlyRootFilesystem: boolean };
  resources: { limits: { memory: string } };
  volumeMounts: { name: string }[];
};
type Pod = { securityContext: { runAsNonRoot: boolean }; containers: Container[]; volumes: { name: string }[] };
type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace: string };
  data?: Record<string, string>;
  spec?: { selector?: { matchLabels?: object }; template?: { metadata?: { labels: object }; spec: Pod } };
};

/** The environment that the service knows, by what its own settings ask for. */
function unknownSettings(names: string[]): string[] {
  const env = Object.fromEntries(names.map((name) => [name, '']));
  const { warnings } = readSettings(env, ROOT).platform;
  return warnings.filter((warning) => names.some((name) => warning.includes(name)));
}

describe('Dockerfile', () => {
  const text = read('Dockerfile');

  it('uses the Node that package.json pins, and no root', () => {
    expect(text).toContain(`NODE_IMAGE=node:${packageFile.dependencies.node}-`);
    const last = text.slice(text.lastIndexOf('\nFROM '));
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^HEALTHCHECK .*CMD \["node", "deploy\/healthcheck\.mjs"\]$/m);
    expect(last).toMatch(/^ENTRYPOINT \["node", "src\/main\.ts"\]$/m);
  });

  it('copies only what is there', () => {
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));
    expect(copied.length).toBeGreaterThan(5);
    expect(copied.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
  });

  it('installs by commands that npm takes', async () => {
    const commands = [...text.matchAll(/^RUN npm (ci .*?)(?: \\)?$/gm)].map(([, command = '']) => command.split(' '));
    expect(commands).toHaveLength(2);
    const folder = mkdtempSync(path.join(tmpdir(), 'dukkan-image-'));
    try {
      for (const name of ['package.json', 'package-lock.json', 'sdk/package.json', 'console/package.json']) {
        cpSync(path.join(ROOT, name), path.join(folder, name));
      }
      for (const command of commands) {
        // Nothing is fetched: whether npm knows what to install, it answers from the lockfile.
        const { stdout } = await promisify(execFile)('npm', [...command, '--dry-run', '--offline'], { cwd: folder });
        expect(stdout).toMatch(/^added \d+ packages/m);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('sets only settings that the service knows', () => {
    const [, variables = ''] = /^ENV (.+)$/m.exec(text) ?? [];
    const names = variables.split(' ').map((pair) => pair.split('=')[0] ?? '');
    expect(unknownSettings(names.filter((name) => name !== 'NODE_ENV'))).toEqual([]);
  });
});

describe('compose.yaml', () => {
  const compose = parseYaml(read('compose.yaml')) as {
    services: Record<string, { environment?: Record<string, string>; volumes?: string[]; image: string }>;
    volumes: Record<string, unknown>;
  };

  it('has an API, a worker, a database and volumes for all that they mount', () => {
    expect(Object.keys(compose.services)).toEqual(['api', 'worker', 'postgres', 'caddy']);
    const mounted = Object.values(compose.services).flatMap(({ volumes = [] }) =>
      volumes.map((each) => each.split(':')[0]),
    );
    expect(mounted.filter((name) => !(String(name) in compose.volumes))).toEqual([]);
    const images = Object.values(compose.services).map(({ image }) => image);
    expect(images.filter((image) => !/:\d/.test(image))).toEqual([]);
  });

  it('sets only settings that the service knows', () => {
    for (const name of ['api', 'worker']) {
      expect(unknownSettings(Object.keys(compose.services[name]?.environment ?? {}))).toEqual([]);
    }
  });
});

describe('deploy/compose.cluster.yaml', () => {
  type Service = {
    image?: string;
    environment?: Record<string, string>;
    volumes?: string[];
    depends_on?: object;
    command?: string[];
  };
  type Compose = { services: Record<string, Service>; volumes: Record<string, unknown> };
  const base = parseYaml(read('compose.yaml')) as Compose;
  const cluster = parseYaml(read('deploy/compose.cluster.yaml')) as Compose;
  const { services, volumes } = cluster;
  const servers = ['postgres', 'worker-1', 'worker-2'];

  it('makes the database of compose.yaml a coordinator, and adds workers of the same release', () => {
    expect(Object.keys(services)).toEqual(['api', 'worker', 'postgres', 'worker-1', 'worker-2', 'nodes']);
    for (const name of [...servers, 'nodes'])
      expect(services[name]?.image).toMatch(/^citusdata\/citus:1[34]\.\d+\.\d+$/);
    for (const name of servers) {
      expect(services[name]?.environment?.POSTGRES_DB).toBe(base.services.postgres?.environment?.POSTGRES_DB);
      const folder = (services[name]?.volumes ?? base.services.postgres?.volumes)?.[0]?.split(':')[1];
      expect(services[name]?.environment?.PGDATA?.startsWith(`${folder}/`)).toBe(true);
    }
    expect(Object.keys(volumes)).toEqual(['worker-1', 'worker-2']);
  });

  it('adds every worker that it starts, and lets the service wait for that', () => {
    const statements = services.nodes?.command?.join(' ') ?? '';
    for (const name of servers) expect(statements).toContain(`'${name}', 5432`);
    expect(Object.keys(services.nodes?.depends_on ?? {})).toEqual(servers);
    for (const name of ['api', 'worker']) expect(Object.keys(services[name]?.depends_on ?? {})).toEqual(['nodes']);
  });
});

describe('Kubernetes manifests', () => {
  const manifests = read('deploy/kubernetes/dukkan.yaml')
    .split(/^---$/m)
    .map((document) => parseYaml(document) as Manifest);
  const pods = manifests.flatMap(({ spec }) => (spec?.template ? [spec.template.spec] : []));

  it('parse document by document and name their kind and namespace', () => {
    expect(manifests.map(({ kind }) => kind)).toEqual([
      'ConfigMap',
      'Job',
      'Deployment',
      'Deployment',
      'Service',
      'PodDisruptionBudget',
    ]);
    for (const { apiVersion, metadata } of manifests) {
      expect(apiVersion).toMatch(/^(v1|apps\/v1|batch\/v1|policy\/v1)$/);
      expect(metadata.namespace).toBe('dukkan');
    }
  });

  it('run every container without rights, with a memory limit and with volumes that exist', () => {
    expect(pods).toHaveLength(3);
    for (const { securityContext, containers, volumes } of pods) {
      expect(securityContext.runAsNonRoot).toBe(true);
      for (const container of containers) {
        expect(container.securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
        });
        expect(container.resources.limits.memory).toMatch(/^\d+Mi$/);
        const names = volumes.map(({ name }) => name);
        expect(container.volumeMounts.filter(({ name }) => !names.includes(name))).toEqual([]);
      }
    }
  });

  it('select the pods that they make, and set only settings that the service knows', () => {
    for (const { kind, spec } of manifests.filter((each) => each.kind === 'Deployment')) {
      expect(spec?.template?.metadata?.labels, kind).toEqual(spec?.selector?.matchLabels);
    }
    const config = manifests.find(({ kind }) => kind === 'ConfigMap');
    const own = pods.flatMap(({ containers }) => containers.flatMap(({ env = [] }) => env.map(({ name }) => name)));
    expect(unknownSettings([...Object.keys(config?.data ?? {}), ...own])).toEqual([]);
  });
});

describe('systemd units', () => {
  // Not every machine that runs the tests has systemd.
  it.skipIf(!existsSync('/usr/bin/systemd-analyze'))(
    'have no error but the program that is not installed here',
    async () => {
      const files = ['dukkan@.service', 'dukkan-backup.service'].map((name) => path.join(ROOT, 'deploy/systemd', name));
      const verified = promisify(execFile)('systemd-analyze', ['verify', ...files]);
      const { stderr } = await verified.catch((error: { stderr: string }) => error);
      const complaints = stderr.split('\n').filter((line) => /dukkan/.test(line) && !/is not executable/.test(line));
      expect(complaints).toEqual([]);
    },
  );
});
