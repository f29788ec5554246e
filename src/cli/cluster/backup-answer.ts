import packageFile from '../../../package.json' with { type: 'json' };
import { MIGRATIONS_FOLDER } from '../../open-installation.ts';
import { BackupError, type BackupStore, followFiles } from '../../platform/backup/index.ts';
import { readSchemaLevel } from '../../platform/database/index.ts';
import { openLocalFileStore } from '../../platform/files/index.ts';
import { replaceFact } from '../../platform/installation/index.ts';
import type { Answer, CommandContext } from '../command.ts';
import { storedBytes } from '../stored-bytes.ts';
import { untilStopped } from '../until-stopped.ts';
import { backupNodes, followNodes, openClusterBackup } from './backup-cluster.ts';

/** A base backup of every node and a point to which they can be restored together. */
export async function backupCluster(
  context: CommandContext,
  store: BackupStore,
  options: { keep: number | undefined; passphraseFile: string | undefined; follow: boolean },
): Promise<Answer> {
  const { platform: config } = context.settings();
  const { sql } = await context.platform();
  const cluster = await openClusterBackup(sql, store, { config, passphraseFile: options.passphraseFile });
  try {
    const files = config.files.driver === 'local' ? await openLocalFileStore(config.files) : undefined;
    const schemaLevel = await readSchemaLevel(MIGRATIONS_FOLDER);
    const release = { version: packageFile.version, schemaLevel };
    const { taken, hasFollower, point } = await backupNodes(sql, store, cluster, { ...options, ...release, files });
    const [coordinator] = taken;
    if (coordinator === undefined) throw new Error('a cluster has a coordinator');
    const { id, finished_at } = coordinator.backup;
    const images = files && coordinator.storedFiles;
    const fact = { at: finished_at, id, folder: store.location, files: images, nodes: taken.length };
    await replaceFact(sql, 'last_backup', JSON.stringify(fact));
    const value = {
      id,
      finished_at,
      encrypted: cluster.nodes[0]?.repository.key !== undefined,
      verified: true,
      ...(files && { images }),
      ...(point && { restore_point: point.name, restorable_until: point.at }),
      nodes: taken.map(({ node, backup, deleted }) => ({
        node,
        id: backup.id,
        content_bytes: backup.content_bytes,
        stored_bytes: storedBytes(backup.files),
        deleted,
      })),
    };
    if (!options.follow) return { value };
    if (hasFollower) throw new BackupError(`Another process follows the log into ${store.location} already`);
    context.screen.write(
      `Base backups of ${taken.length} nodes are complete. Following their logs into ${store.location}; Ctrl-C ends it\n`,
    );
    const { stopping, signal, onLost } = untilStopped(context);
    const [{ repository }] = cluster.nodes as [(typeof cluster.nodes)[number]];
    try {
      await Promise.all([
        followNodes(sql, store, cluster, { signal, onLost }),
        files && followFiles({ repository, files, signal, onLost }),
      ]);
    } finally {
      stopping.abort();
    }
    return { value };
  } finally {
    await cluster.close();
  }
}
