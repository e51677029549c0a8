import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.backend.memory.MemoryDatabase;
import de.bwaldvogel.mongo.backend.memory.index.MemoryUniqueIndex;
import de.bwaldvogel.mongo.bson.Document;
import java.net.InetSocketAddress;
import java.util.List;

/** Serves on a free port of the loopback, prints its URL, and ends with whoever started it: when its input does. */
class MongoJava {
  /** One slow answer holds up whoever shares its thread: more of them than a run of tests has connections at once. */
  static final int THREADS = 256;

  /** By itself it reports a version that the driver refuses. */
  record Version(List<Integer> getVersionArray, int getWireVersion) implements MongoVersion {}

  public static void main(String[] arguments) throws Exception {
    var backend = new Backend();
    backend.version(new Version(List.of(5, 0, 0), 13));
    var server = new MongoServer(backend);
    server.bind(new InetSocketAddress("localhost", 0), 1, THREADS);
    System.out.println(server.getConnectionString());
    while (System.in.read() >= 0);
    System.exit(0);
  }

  static class Backend extends MemoryBackend {
    @Override
    public MemoryDatabase openOrCreateDatabase(String name) {
      return new Database(name, getCursorRegistry());
    }
  }

  static class Database extends MemoryDatabase {
    Database(String name, CursorRegistry cursors) {
      super(name, cursors);
    }

    @Override
    protected Index<Integer> openOrCreateUniqueIndex(String collection, String name, List<IndexKey> keys, boolean sparse) {
      return new UniqueIndex(name, keys, sparse);
    }
  }

  /** Finds by `_id` beside whatever else is asked for. By itself it would look through the whole collection for that. */
  static class UniqueIndex extends MemoryUniqueIndex {
    UniqueIndex(String name, List<IndexKey> keys, boolean sparse) {
      super(name, keys, sparse);
    }

    @Override
    public boolean canHandle(Document query) {
      return super.canHandle(query) || (keys().equals(List.of("_id")) && isById(query));
    }

    @Override
    public Iterable<Integer> getPositions(Document query) {
      return super.getPositions(isById(query) ? new Document("_id", ((Document) query.get("_id")).get("$eq")) : query);
    }

    private static boolean isById(Document query) {
      return query.get("_id") instanceof Document condition && condition.size() == 1 && condition.get("$eq") instanceof String;
    }
  }
}
