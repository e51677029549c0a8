import org.openapitools.client.ApiClient;
import org.openapitools.client.api.CommerceApi;
import org.openapitools.client.model.CreateProductBody;
import org.openapitools.client.model.ProductResponse;

public class Call {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("API_URL"));
    client.setBearerToken(System.getenv("API_KEY"));
    ProductResponse created = new CommerceApi(client).createProduct(new CreateProductBody().name("A course"), null, null, null, null);
    System.out.println("called " + created.getData().getId());
    System.exit(0);
  }
}
