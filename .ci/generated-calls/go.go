package main

import (
	"context"
	"fmt"
	"os"

	api "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func main() {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Getenv("API_URL")}}
	context := context.WithValue(context.Background(), api.ContextAccessToken, os.Getenv("API_KEY"))
	created, _, err := api.NewAPIClient(configuration).CommerceAPI.CreateProduct(context).CreateProductBody(*api.NewCreateProductBody("A course")).Execute()
	if err != nil {
		panic(err)
	}
	fmt.Println("called", created.Data.Id)
}
